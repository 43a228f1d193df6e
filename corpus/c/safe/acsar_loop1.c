// Each cell is set to its index.
extern int nondet_int(void);
int main() {
  int n = nondet_int();
  if (n < 1) return 0;
  int a[n];
  for (int i = 0; i < n; i++) a[i] = i;
  //@ assert \forall integer k; 0 <= k < n ==> a[k] == k;
  return 0;
}
