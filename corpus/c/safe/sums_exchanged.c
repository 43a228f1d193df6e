// The sum of an array does not change when two of its cells are exchanged.
extern int nondet_int(void);
void reach_error(void) {}

static int sum(int a[12])
{
  long long s = 0;
  for (int i = 0; i < 12; i++)
    s += a[i];
  return s;
}

int main(void)
{
  int a[12];
  for (int i = 0; i < 12; i++)
    a[i] = nondet_int();
  int before = sum(a);
  int first = a[0];
  a[0] = a[7];
  a[7] = first;
  if (sum(a) != before)
    reach_error();
  return 0;
}
