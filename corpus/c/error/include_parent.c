// expect: C003
#include "../safe/structs.c"
int main() { return 0; }
