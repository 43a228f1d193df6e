// `bool`, `true` and `false` without a header, and an input that nobody declares.
void __VERIFIER_assert(int c) { if (!c) reach_error(); }
bool odd(unsigned long n) { return n % 2 == 1 ? true : false; }
int main() {
  unsigned long n = __VERIFIER_nondet_ulong();
  __VERIFIER_assert(n <= 4294967295UL || odd(n) == true);
  return 0;
}
