// Members, arrays of structs, copies.
struct point { int x; int y; };
int main() {
  struct point p = {1, 2}, q, list[3] = {{1, 1}};
  q = p;
  q.x = 5;
  list[1] = q;
  struct point *r = &p;
  r->y = 7;
  assert(p.x == 1 && p.y == 7 && list[1].x == 5 && list[1].y == 2 && list[2].x == 0);
  return 0;
}
