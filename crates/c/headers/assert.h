#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
void assert(int condition);
#endif
#define static_assert _Static_assert
