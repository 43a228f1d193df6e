/* What a program needs that is compiled for 32 bits where only the compiler knows them: no library, the
   calls of the system by number. */
#define WEAK __attribute__((weak))
typedef unsigned long size_t;
extern int main();

WEAK void _exit(int code) {
  for (;;) __asm__ volatile("int $0x80" : : "a"(1), "b"(code) : "memory");
}
WEAK void exit(int code) { _exit(code); }
WEAK void abort(void) { _exit(134); }
WEAK void __assert_fail() { _exit(99); }
__attribute__((force_align_arg_pointer)) void _start(void) { _exit(main() & 255); }

WEAK void *memset(void *to, int byte, size_t n) {
  for (size_t i = 0; i < n; i++) ((volatile char *)to)[i] = byte;
  return to;
}
WEAK void *memcpy(void *to, const void *from, size_t n) {
  for (size_t i = 0; i < n; i++) ((volatile char *)to)[i] = ((const char *)from)[i];
  return to;
}

static char heap[1 << 26];
static size_t used;
WEAK void *malloc(size_t n) {
  if (n > sizeof heap - used - 16) abort();
  char *place = heap + used;
  used += (n + 15) & ~15ul;
  return place;
}
WEAK void *calloc(size_t n, size_t size) {
  if (size != 0 && n > sizeof heap / size) abort();
  return malloc(n * size);
}
WEAK void free(void *place) {}

WEAK int printf() { return 0; }
WEAK int puts() { return 0; }
WEAK int putchar() { return 0; }
WEAK void srand() {}
