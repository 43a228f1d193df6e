// The sum of all cells stays the same when they change places: the loops are short and known.
#include <assert.h>
extern int nondet_int(void);
int odd(int a[12]) {
  int n = 0;
  for (int i = 0; i < 12; i++) if (a[i] % 2) n++; else n--;
  return n;
}
int main() {
  int a[12];
  for (int i = 0; i < 12; i++) a[i] = nondet_int();
  int before = odd(a), first = a[0];
  for (int i = 0; i < 11; i++) a[i] = a[i + 1];
  a[11] = first;
  assert(odd(a) == before);
  return 0;
}
