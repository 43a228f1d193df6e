// Invariants that are proposed; the last one is wrong and is left out.
extern int nondet_int(void);
int main() {
  int n = nondet_int();
  if (n < 0 || n > 1000) return 0;
  int i = 0, s = 0;
  /*@ loop invariant 0 <= i <= n;
      loop invariant s == 2 * i;
      loop invariant i <= 3;
      loop assigns i, s; */
  while (i < n) {
    s += 2;
    i++;
  }
  //@ assert s == 2 * n;
  return 0;
}
