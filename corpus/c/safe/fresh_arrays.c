// Two local arrays are two: nothing relates their contents, and a length does not follow its variable.
extern int nondet_int(void);
int main() {
  int n = nondet_int();
  if (n < 1 || n > 10) return 0;
  int a[n];
  int m = n;
  n = 0;
  a[m - 1] = 3;
  assert(a[m - 1] == 3);
  return 0;
}
