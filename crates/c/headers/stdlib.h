#ifndef FORETELL_STDLIB
#define FORETELL_STDLIB
#include <stddef.h>
extern void *malloc(size_t size);
extern void *calloc(size_t count, size_t size);
extern void free(void *pointer);
extern void abort(void);
extern void exit(int status);
extern int rand(void);
extern void srand(unsigned int seed);
#define RAND_MAX 2147483647
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
static int abs(int value) { return value < 0 ? -value : value; }
static long labs(long value) { return value < 0 ? -value : value; }
#endif
