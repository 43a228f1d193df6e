// Four values in turn.
extern int nondet_int(void);
int main() {
  int n = nondet_int();
  if (n < 1 || n > 100000) return 0;
  int v0 = nondet_int(), v1 = nondet_int(), v2 = nondet_int(), v3 = nondet_int();
  int m = 4 * n;
  int a[m];
  for (int i = 0; i < m; i += 4) {
    a[i] = v0;
    a[i + 1] = v1;
    a[i + 2] = v2;
    a[i + 3] = v3;
  }
  //@ assert \forall integer k; 0 <= k < m && k % 4 == 0 ==> a[k] == v0;
  //@ assert \forall integer k; 0 <= k < m && k % 4 == 1 ==> a[k] == v1;
  //@ assert \forall integer k; 0 <= k < m && k % 4 == 2 ==> a[k] == v2;
  //@ assert \forall integer k; 0 <= k < m && k % 4 == 3 ==> a[k] == v3;
  return 0;
}
