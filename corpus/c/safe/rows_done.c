// Every row of a matrix is filled, column by column, then every cell is looked at.
#include <assert.h>
extern int nondet_int(void);
int main() {
  int c = nondet_int();
  int a[100][150];
  for (int i = 0; i < 100; i++)
    for (int j = 0; j < 150; j++) a[i][j] = c;
  for (int i = 0; i < 100; i++)
    for (int j = 0; j < 150; j++) assert(a[i][j] == c);
  return 0;
}
