// The last cell is not written.
extern int nondet_int(void);
int main() {
  int n = nondet_int();
  if (n < 1 || n > 1000) return 0;
  int a[n];
  for (int i = 0; i < n - 1; i++) a[i] = i;
  a[n - 1] = n;
  //@ assert \forall integer k; 0 <= k < n ==> a[k] == k;
  return 0;
}
