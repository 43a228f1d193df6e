// expect: C013
int f(int); int main() { return f(1); }
