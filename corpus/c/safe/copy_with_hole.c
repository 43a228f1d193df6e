// An array is copied but for one cell.
#include <assert.h>
extern int nondet_int(void);
int main() {
  int a[2000], b[2000];
  for (int i = 0; i < 2000; i++) {
    a[i] = nondet_int();
    b[i] = nondet_int();
  }
  for (int i = 0; i < 2000; i++)
    if (i != 1500) b[i] = a[i];
  for (int i = 0; i < 2000; i++)
    if (i != 1500) assert(a[i] == b[i]);
  return 0;
}
