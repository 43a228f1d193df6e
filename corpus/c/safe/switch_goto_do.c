// Falling through, jumping, and a loop that runs at least once.
int main() {
  int x = 2, n = 0;
  switch (x) { case 1: n = 10; case 2: n += 1; case 3: n += 2; break; default: n = 50; }
  do { n++; } while (n < 0);
  if (n != 4) goto bad;
  return 0;
bad:
  reach_error();
}
