// All cells are set.
extern int nondet_int(void);
int main() {
  int n = nondet_int();
  if (n < 1) return 0;
  int a[n];
  for (int i = 0; i < n; i++) a[i] = 0;
  //@ assert \forall integer k; 0 <= k < n ==> a[k] == 0;
  return 0;
}
