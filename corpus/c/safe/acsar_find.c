// Every cell in front of the one that is found is false.
extern int nondet_int(void);
int main() {
  int n = nondet_int();
  if (n < 1) return 0;
  int a[n];
  for (int k = 0; k < n; k++) a[k] = nondet_int();
  int spot = n;
  for (int i = 0; i < n; i++) {
    if (spot == n && a[i] != 0) spot = i;
  }
  //@ assert \forall integer k; 0 <= k < spot ==> a[k] == 0;
  return 0;
}
