// The right side of && is evaluated, and checked, only where the left side holds.
extern int nondet_int(void);
int main() {
  int a[3] = {1, 2, 3};
  int i = nondet_int();
  if (i >= 0 && i < 3 && a[i] == 2) assert(i == 1);
  return 0;
}
