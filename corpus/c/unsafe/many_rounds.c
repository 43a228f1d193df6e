// The error comes after 2^27 rounds that are all alike.
extern void reach_error(void);
int main() {
  unsigned int x = 0;
  while (x < 0x0fffffff) x += 2;
  if (x % 2 == 0) reach_error();
  return 0;
}
