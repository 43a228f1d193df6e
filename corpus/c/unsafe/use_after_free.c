// Memory that was given back is used.
#include <stdlib.h>
int main() {
  int *p = malloc(3 * sizeof(int));
  p[0] = 1;
  free(p);
  return p[0];
}
