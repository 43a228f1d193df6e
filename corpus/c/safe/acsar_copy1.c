// An array is copied.
extern int nondet_int(void);
int main() {
  int n = nondet_int();
  if (n < 1 || n > 1000) return 0;
  int a[1000], b[1000];
  for (int k = 0; k < n; k++) a[k] = nondet_int();
  for (int i = 0; i < n; i++) b[i] = a[i];
  //@ assert \forall integer k; 0 <= k < n ==> b[k] == a[k];
  return 0;
}
