#ifndef FORETELL_STRING
#define FORETELL_STRING
#include <stddef.h>
static size_t strlen(const char *text) {
  size_t length = 0;
  while (text[length] != 0) length = length + 1;
  return length;
}
#endif
