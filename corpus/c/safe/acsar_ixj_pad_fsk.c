// Two loops pad a message: all cells of both ranges are set.
extern int nondet_int(void);
int main() {
  int n = nondet_int(), pad = nondet_int();
  if (n < 1 || pad < 1 || n > 1000000 || pad > 1000000) return 0;
  int all = n + pad;
  int fsk[all];
  int size = 0;
  for (int i = 0; i < n; i++) {
    fsk[size] = 1;
    size++;
  }
  for (int i = 0; i < pad; i++) {
    fsk[size] = 1;
    size++;
  }
  //@ assert \forall integer k; 0 <= k < all ==> fsk[k] == 1;
  return 0;
}
