// expect: C017
int main() { __asm__("nop"); return 0; }
