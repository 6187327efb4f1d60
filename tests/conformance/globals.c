/* Static and global data are symmetric, whatever kind of executable this is; built in several ways (3.1).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

enum { LARGE = 8 << 20 };

long zeroed_global;
long initialised_global = 1234;
static long zeroed_static;
static long initialised_static = -9;
static char large[LARGE];
static long initialised_array[5000] = {1, 2, 3};
static __thread long thread_local_value = 3;
static long* const pointer_in_relro = &initialised_global;
static long* pointer_in_data = &initialised_static;
/* Between .lbss and .ldata with -mcmodel=medium. */
static const long constants[5000] = {7, [4999] = 8};
static const char* text_in_data = "text";

long* function_static(void) {
  static long hidden = 55;
  return &hidden;
}

/* Written before shmem_init, the values must be there after it. */
static void write_before_init(void) {
  zeroed_global = 11;
  initialised_static = 12;
  *function_static() = 13;
  large[0] = 14;
  large[LARGE - 1] = 15;
  thread_local_value = 16;
}

static void values_survive_init(void) {
  CHECK(zeroed_global == 11 && initialised_static == 12 && *function_static() == 13,
        "scalars written before");
  CHECK(large[0] == 14 && large[LARGE - 1] == 15 && large[LARGE / 2] == 0, "a large array written before");
  CHECK(initialised_global == 1234 && zeroed_static == 0, "untouched scalars");
  CHECK(initialised_array[0] == 1 && initialised_array[2] == 3 && initialised_array[4999] == 0, "an array");
  CHECK(thread_local_value == 16, "a thread-local variable");
  CHECK(pointer_in_relro == &initialised_global && pointer_in_data == &initialised_static, "pointers");
  CHECK(strcmp(text_in_data, "text") == 0, "a pointer to a constant");
  const volatile long* read = constants;
  CHECK(read[0] == 7 && read[1] == 0 && read[4999] == 8, "an array of constants");
}

static void is_symmetric(long* object, const char* name) {
  shmem_barrier_all();
  shmem_long_p(object, 100 + me, right());
  shmem_barrier_all();
  CHECK(*object == 100 + left(), "%s: a put arrives", name);
  CHECK(shmem_long_g(object, right()) == 100 + me, "%s: a get reads it back", name);
  CHECK((shmem_ptr(object, right()) != NULL) == shares(right()), "%s: has a direct pointer on my node", name);
  shmem_barrier_all();
}

static void every_kind_is_symmetric(void) {
  is_symmetric(&zeroed_global, "zeroed global");
  is_symmetric(&initialised_global, "initialised global");
  is_symmetric(&zeroed_static, "zeroed static");
  is_symmetric(&initialised_static, "initialised static");
  is_symmetric(function_static(), "static of a function");
  is_symmetric(&initialised_array[4999], "end of an initialised array");
}

static void a_large_array_can_be_filled_from_afar(void) {
  char* origin = malloc(LARGE);
  memset(origin, 'a' + me, LARGE);
  shmem_putmem(large, origin, LARGE, right());
  shmem_barrier_all();
  size_t wrong = 0;
  for (size_t i = 0; i < LARGE; ++i) wrong += large[i] != 'a' + left();
  CHECK(wrong == 0, "%zu bytes are wrong", wrong);
  free(origin);
}

/* The C library keeps its own data in the executable of a static program: it must go on working. */
static void the_c_library_still_works(void) {
  char text[64];
  void* blocks[100];
  for (int i = 0; i < 100; ++i) blocks[i] = malloc(100 * i + 1);
  for (int i = 0; i < 100; ++i) free(blocks[i]);
  snprintf(text, sizeof text, "%d %.3f", me, 1.5);
  CHECK(strstr(text, "1.500") != NULL, "snprintf gives %s", text);
  CHECK(setenv("TEST_VARIABLE", "value", 1) == 0 && getenv("TEST_VARIABLE"), "the environment");
  fflush(stdout);
}

static void my_globals_are_mine(void) {
  zeroed_static = me;
  shmem_barrier_all();
  CHECK(zeroed_static == me, "nobody shares my copy: %ld", zeroed_static);
}

int main(void) {
  write_before_init();
  begin();
  values_survive_init();
  every_kind_is_symmetric();
  a_large_array_can_be_filled_from_afar();
  the_c_library_still_works();
  my_globals_are_mine();
  const int status = end();
  CHECK(large[0] == 'a' + left() && zeroed_static == me, "globals survive finalize");
  return status | verdict();
}
