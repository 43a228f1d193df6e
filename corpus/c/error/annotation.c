// expect: C018
int main() { int x = 1;
//@ assert \separated(x, x);
return x; }
