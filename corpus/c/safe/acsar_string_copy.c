// The zero-terminated string s is copied to t.
extern int nondet_int(void);
int main() {
  int n = nondet_int();
  if (n < 1 || n > 1000) return 0;
  int s[1000], t[1000];
  for (int k = 0; k < n; k++) s[k] = nondet_int();
  s[n - 1] = 0;
  int i = 0;
  while (s[i] != 0) {
    t[i] = s[i];
    i++;
  }
  t[i] = 0;
  //@ assert \forall integer k; 0 <= k <= i ==> t[k] == s[k];
  return 0;
}
