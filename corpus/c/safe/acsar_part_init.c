// The indices where two arrays agree are collected: each lies between 0 and n - 1.
extern int nondet_int(void);
int main() {
  int n = nondet_int();
  if (n < 1 || n > 1000) return 0;
  int a[1000], b[1000], c[1000];
  for (int k = 0; k < n; k++) {
    a[k] = nondet_int();
    b[k] = nondet_int();
  }
  int j = 0;
  for (int i = 0; i < n; i++) {
    if (a[i] == b[i]) {
      c[j] = i;
      j++;
    }
  }
  //@ assert \forall integer k; 0 <= k < j ==> 0 <= c[k] && c[k] < n;
  return 0;
}
