#ifndef FORETELL_STDDEF
#define FORETELL_STDDEF
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef int wchar_t;
#undef NULL
#define NULL ((void *)0)
#endif
