extern void sassert(int condition);
extern void assume(int condition);
