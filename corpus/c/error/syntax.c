// expect: C004
int main() { return 1 +; }
