// Cells that are not negative go to one array, the others to another.
extern int nondet_int(void);
int main() {
  int n = nondet_int();
  if (n < 1 || n > 1000) return 0;
  int c[1000], a[1000], b[1000];
  for (int k = 0; k < n; k++) c[k] = nondet_int();
  int i = 0, p = 0, q = 0;
  while (i < n) {
    if (c[i] >= 0) {
      a[p] = c[i];
      p++;
    } else {
      b[q] = c[i];
      q++;
    }
    i++;
  }
  //@ assert \forall integer k; 0 <= k < p ==> a[k] >= 0;
  //@ assert \forall integer k; 0 <= k < q ==> b[k] < 0;
  return 0;
}
