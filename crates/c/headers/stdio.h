#include <stddef.h>
extern int printf(const char *format, ...);
extern int puts(const char *text);
extern int putchar(int character);
