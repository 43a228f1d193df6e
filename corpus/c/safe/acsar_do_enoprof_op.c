// One operation in one state copies a table.
extern int nondet_int(void);
int main() {
  int n = nondet_int(), op = nondet_int(), state = nondet_int();
  if (n < 1 || n > 1000) return 0;
  int a[1000], b[1000];
  for (int k = 0; k < n; k++) {
    a[k] = nondet_int();
    b[k] = nondet_int();
  }
  int result = 0;
  switch (op) {
  case 0:
    if (state != 0) result = -1;
    break;
  case 1:
    if (state == 2) {
      for (int i = 0; i < n; i++) b[i] = a[i];
    } else {
      result = -1;
    }
    break;
  case 2:
    state = 3;
    break;
  default:
    result = -2;
    break;
  }
  //@ assert \forall integer k; op == 1 && state == 2 && 0 <= k < n ==> b[k] == a[k];
  return result;
}
