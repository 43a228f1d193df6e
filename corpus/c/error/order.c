// expect: C016
int main() { int i = 0, a[2]; a[i] = i++; return 0; }
