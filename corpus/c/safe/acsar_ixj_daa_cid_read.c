// Cells with an even index get one value, those with an odd index another.
extern int nondet_int(void);
int main() {
  int n = nondet_int(), v1 = nondet_int(), v2 = nondet_int();
  if (n < 1 || n > 1000000) return 0;
  int m = 2 * n;
  int cid[m];
  for (int i = 0; i < m; i += 2) {
    cid[i] = v2;
    cid[i + 1] = v1;
  }
  //@ assert \forall integer k; 0 <= k < m && k % 2 == 1 ==> cid[k] == v1;
  //@ assert \forall integer k; 0 <= k < m && k % 2 == 0 ==> cid[k] == v2;
  return 0;
}
