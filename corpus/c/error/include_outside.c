// expect: C003
#include "/etc/passwd"
int main() { return 0; }
