// A recursive function needs a summary.
extern int nondet_int(void);
int count(int n) { if (n <= 0) return 0; return count(n - 1) + 1; }
int main() {
  int n = nondet_int();
  if (n < 0 || n > 1000) return 0;
  assert(count(n) == n);
  return 0;
}
