// Division goes towards zero, the remainder has the sign of the dividend.
extern int nondet_int(void);
int main() {
  int x = nondet_int();
  if (x >= -10 && x <= 10) {
    int q = x / 3, r = x % 3;
    assert(q * 3 + r == x);
    assert(x >= 0 || r <= 0);
  }
  assert(-7 / 2 == -3 && -7 % 2 == -1 && 7 / -2 == -3);
  return 0;
}
