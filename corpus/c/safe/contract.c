// A contract: parameters mean their values at the call, \old what was before.
extern int nondet_int(void);
int total;
/*@ requires 0 <= n <= 100;
    requires 0 <= total <= 1000;
    assigns total;
    ensures total == \old(total) + n;
    ensures \result == n + 1; */
int add(int n) {
  total += n;
  n++;
  return n;
}
int main() {
  int x = nondet_int();
  if (x < 0 || x > 100) return 0;
  int y = add(x);
  //@ assert y == x + 1 && total == x;
  return 0;
}
