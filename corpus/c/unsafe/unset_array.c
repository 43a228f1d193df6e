// The cells of an array of variable length are what they happen to be, each time its declaration is reached.
int main() {
  unsigned int n = __VERIFIER_nondet_uint();
  if (n < 2 || n > 8) return 0;
  for (int round = 0; round < 2; round++) {
    int v[n]; /* not; here */
    __VERIFIER_assert(v[n - 1] != 7 || round != 1);
  }
  return 0;
}
