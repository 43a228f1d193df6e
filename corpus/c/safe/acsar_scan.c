// Cells in front of the place where a scan stops are not zero.
extern int nondet_int(void);
int main() {
  int n = nondet_int();
  if (n < 1) return 0;
  int a[n];
  for (int k = 0; k < n; k++) a[k] = nondet_int();
  int i = 0;
  while (i < n && a[i] != 0) i++;
  //@ assert \forall integer k; 0 <= k < i ==> a[k] != 0;
  return 0;
}
