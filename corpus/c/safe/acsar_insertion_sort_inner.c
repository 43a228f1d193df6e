// The inner loop of insertion sort: the cell where it stops is the least of what follows up to i.
extern int nondet_int(void);
int main() {
  int n = nondet_int();
  int i = nondet_int();
  if (n < 2 || i < 1 || i >= n) return 0;
  int a[n];
  for (int k = 0; k < n; k++) a[k] = nondet_int();
  int key = a[i];
  int j = i;
  while (j > 0 && a[j - 1] > key) {
    a[j] = a[j - 1];
    j--;
  }
  a[j] = key;
  //@ assert \forall integer k; j <= k <= i ==> a[j] <= a[k];
  return 0;
}
