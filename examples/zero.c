#include <assert.h>

int main(void) {
  int a[1000];
  for (int i = 0; i < 1000; i++)
    a[i] = 0;
  for (int i = 0; i < 1000; i++)
    assert(a[i] == 0);
  return 0;
}
