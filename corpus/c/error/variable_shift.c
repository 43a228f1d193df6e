// expect: C015
int main() { int n = 3; return 1 << n; }
