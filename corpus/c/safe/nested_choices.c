// Choices inside choices, each with a check of its own: they are tried once, not once for each way.
#include <assert.h>
extern int nondet_int(void);
int main() {
  int x = nondet_int(), n = 1;
  int a[4] = {1, 2, 3, 4};
  if (x < 0 || x > 3) return 0;
  int all = a[x] && (a[x] && (a[x] && (a[x] && (a[x] && (a[x] && (a[x] && (a[x] && (a[x] && (a[x]
    && (a[x] && (a[x] && (a[x] && (a[x] && (a[x] && (a[x] && (a[x] && (a[x] && (a[x] && (a[x]
    && (a[x] && (a[x] && (a[x] && (a[x] && (a[x] && (a[x] && (a[x] && (a[x] && (a[x] && (a[x]
    )))))))))))))))))))))))))))));
  int deep = a[x] ? a[x] ? a[x] ? a[x] ? a[x] ? a[x] ? a[x] ? a[x] ? a[x] ? a[x] ? a[x] ? a[x]
    : 0 : 0 : 0 : 0 : 0 : 0 : 0 : 0 : 0 : 0 : 0;
  assert(all == n);
  assert(deep == a[x]);
  return 0;
}
