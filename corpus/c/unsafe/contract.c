// The contract forgets the first call.
int total;
/*@ ensures total == n; */
void add(int n) { total += n; }
int main() {
  add(1);
  add(2);
  return 0;
}
