// A pointer that walks through one array.
int main() {
  int a[4] = {1, 2, 3, 4};
  int *p = a, *q = &a[3];
  p++;
  *p = 9;
  assert(a[1] == 9 && q - p == 2 && p < q);
  return 0;
}
