// Each cell is a linear function of its index.
extern int nondet_int(void);
int main() {
  int n = nondet_int();
  if (n < 1 || n > 1000000) return 0;
  int a[n];
  for (int i = 0; i < n; i++) a[i] = 2 * i + 3;
  //@ assert \forall integer k; 0 <= k < n ==> a[k] == 2 * k + 3;
  return 0;
}
