// expect: C014
union u { int a; char b; }; int main() { union u x; x.a = 1; return x.b; }
