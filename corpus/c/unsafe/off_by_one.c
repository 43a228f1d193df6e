// One cell too far.
int main() {
  int a[10];
  for (int i = 0; i <= 10; i++) a[i] = 0;
  return 0;
}
