// Members without a value, and new memory of a type that only a typedef names.
#include <assert.h>
#include <stdlib.h>
typedef struct { int tag; int cells[2]; } Box;
int main() {
  int n = 3;
  struct { int x; int y[4]; } s[2];
  Box *p = malloc(n * sizeof(Box)); // a list
  for (int i = 0; i < n; i++)
    if (p[i].cells[i % 2] == 7) assert(s[i % 2].y[i] != 7);
  free(p);
  return 0;
}
