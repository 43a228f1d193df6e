// Entries that were in use are given back.
extern int nondet_int(void);
int main() {
  int n = nondet_int();
  if (n < 1 || n > 1000) return 0;
  int filter[1000], old[1000];
  for (int k = 0; k < n; k++) {
    filter[k] = nondet_int();
    old[k] = filter[k];
  }
  int i = 0;
  while (i < n) {
    if (filter[i] != 0) {
      filter[i] = 0;
    }
    i++;
  }
  //@ assert \forall integer k; 0 <= k < n && old[k] != 0 ==> filter[k] == 0;
  return 0;
}
