// Signed overflow is an error of its own group.
extern int nondet_int(void);
int main() {
  int x = nondet_int();
  if (x > 0) x = x + 1;
  return 0;
}
