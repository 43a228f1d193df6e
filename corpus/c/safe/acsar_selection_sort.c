// Selection sort sorts.
extern int nondet_int(void);
int main() {
  int n = nondet_int();
  if (n < 1) return 0;
  int a[n];
  for (int k = 0; k < n; k++) a[k] = nondet_int();
  int i = 0;
  while (i < n - 1) {
    int s = i;
    int j = i + 1;
    while (j < n) {
      if (a[j] < a[s]) s = j;
      j++;
    }
    int t = a[i];
    a[i] = a[s];
    a[s] = t;
    i++;
  }
  //@ assert \forall integer x, y; 0 <= x && x < y && y < n ==> a[x] <= a[y];
  return 0;
}
