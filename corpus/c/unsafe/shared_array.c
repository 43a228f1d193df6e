// Two arrays without contents are not equal.
int main() {
  int a[2], b[2];
  assert(a[0] == b[0]);
  return 0;
}
