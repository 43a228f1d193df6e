// A loop that sets every cell.
int main() {
  int a[100];
  for (int i = 0; i < 100; i++) a[i] = 7;
  for (int i = 0; i < 100; i++) assert(a[i] == 7);
  return 0;
}
