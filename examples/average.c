#include <assert.h>

extern int nondet_int(void);

/* The middle between two numbers. */
int main(void) {
  int low = nondet_int(), high = nondet_int();
  if (low < 0 || high < low) return 0;
  int middle = (low + high) / 2;
  assert(low <= middle && middle <= high);
  return 0;
}
