// expect: C013
int f(void) { return 1; } int main() { return (*f)(); }
