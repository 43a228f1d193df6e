// Unsigned numbers wrap: 0 - 1 is the largest one, and a comparison converts -1 to it.
int main() {
  unsigned u = 0;
  u = u - 1;
  assert(u == 4294967295u);
  int i = -1;
  assert(!(i < 5u));
  return 0;
}
