// A table is searched for a number: what comes before the entry differs from it.
extern int nondet_int(void);
int main() {
  int max = nondet_int(), tid = nondet_int();
  if (max < 1) return 0;
  int table[max];
  for (int k = 0; k < max; k++) table[k] = nondet_int();
  int i = 0, found = 0;
  while (i < max && !found) {
    if (table[i] == tid)
      found = 1;
    else
      i++;
  }
  //@ assert \forall integer k; 0 <= k < i ==> table[k] != tid;
  return 0;
}
