extern void sassert(int condition);
extern void assume(int condition);
extern int nd(void);
extern int nondet(void);
