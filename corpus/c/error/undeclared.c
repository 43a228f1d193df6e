// expect: C005
int main() { return x; }
