// Entries that had a property are set to zero.
extern int nondet_int(void);
int main() {
  int n = nondet_int(), mask = nondet_int();
  if (n < 1 || n > 1000) return 0;
  int bus[1000], old[1000];
  for (int k = 0; k < n; k++) {
    bus[k] = nondet_int();
    old[k] = bus[k];
  }
  for (int i = 0; i < n; i++) {
    if (bus[i] > mask) bus[i] = 0;
  }
  //@ assert \forall integer k; 0 <= k < n && old[k] > mask ==> bus[k] == 0;
  return 0;
}
