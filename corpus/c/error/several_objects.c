// expect: C012
int main() { int a, b, *p = &a; p = &b; return *p; }
