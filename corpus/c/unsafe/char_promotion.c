// A char is promoted before it is compared, so the difference does not come back.
extern char nondet_char(void);
int main() {
  char a = nondet_char(), b = nondet_char();
  char c = a - b;
  assert(c == a - b);
  return 0;
}
