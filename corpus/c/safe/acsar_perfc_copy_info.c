// Counters of one kind are copied.
extern int nondet_int(void);
int main() {
  int n = nondet_int();
  if (n < 1 || n > 1000) return 0;
  int kind[1000], from[1000], to[1000];
  for (int k = 0; k < n; k++) {
    kind[k] = nondet_int();
    from[k] = nondet_int();
    to[k] = nondet_int();
  }
  for (int i = 0; i < n; i++) {
    switch (kind[i]) {
    case 1:
    case 2:
      to[i] = from[i];
      break;
    default:
      break;
    }
  }
  //@ assert \forall integer k; 0 <= k < n && kind[k] == 1 ==> to[k] == from[k];
  //@ assert \forall integer k; 0 <= k < n && kind[k] == 2 ==> to[k] == from[k];
  return 0;
}
