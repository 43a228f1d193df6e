// expect: C011
int main() { double x = 0.5; return x > 1; }
