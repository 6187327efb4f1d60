/* Names from before 1.4 that are still mandatory (Annex F).
 * SPDX-License-Identifier: BSD-3-Clause */
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static long word;
static int number;
static long long longer;
static double real;
static float single;

static void old_queries_agree_with_the_new_ones(void) {
  CHECK(_my_pe() == me && _num_pes() == npes, "_my_pe and _num_pes");
}

static void the_old_heap_routines_work(void) {
  char* block = shmalloc(100);
  memset(block, 1, 100);
  block = shrealloc(block, 5000);
  CHECK(block && block[99] == 1, "shrealloc keeps the contents");
  shfree(block);
  block = shmemalign(4096, 10);
  CHECK((uintptr_t)block % 4096 == 0, "shmemalign aligns");
  shfree(block);
}

#define OLD_INTEGER_ATOMICS(NAME, VARIABLE)                                      \
  shmem_##NAME##_set(&VARIABLE, 10, right());                                    \
  shmem_quiet();                                                                 \
  CHECK(shmem_##NAME##_fetch(&VARIABLE, right()) == 10, #NAME " set and fetch"); \
  CHECK(shmem_##NAME##_swap(&VARIABLE, 11, right()) == 10, #NAME " swap");       \
  CHECK(shmem_##NAME##_cswap(&VARIABLE, 11, 12, right()) == 11, #NAME " cswap"); \
  CHECK(shmem_##NAME##_fadd(&VARIABLE, 5, right()) == 12, #NAME " fadd");        \
  CHECK(shmem_##NAME##_finc(&VARIABLE, right()) == 17, #NAME " finc");           \
  shmem_##NAME##_add(&VARIABLE, 2, right());                                     \
  shmem_##NAME##_inc(&VARIABLE, right());                                        \
  shmem_quiet();                                                                 \
  CHECK(shmem_##NAME##_fetch(&VARIABLE, right()) == 21, #NAME " add and inc");

#define OLD_FLOATING_ATOMICS(NAME, VARIABLE)                                 \
  shmem_##NAME##_set(&VARIABLE, 1.5, right());                               \
  shmem_quiet();                                                             \
  CHECK(shmem_##NAME##_swap(&VARIABLE, 2.5, right()) == 1.5, #NAME " swap"); \
  CHECK(shmem_##NAME##_fetch(&VARIABLE, right()) == 2.5, #NAME " fetch");

static void the_old_atomics_work(void) {
  OLD_INTEGER_ATOMICS(int, number)
  OLD_INTEGER_ATOMICS(long, word)
  OLD_INTEGER_ATOMICS(longlong, longer)
  CHECK((shmem_swap)(&word, 22, right()) == 21 && (shmem_swap)(&word, 23, right()) == 22, "swap of a long");
  OLD_FLOATING_ATOMICS(float, single)
  OLD_FLOATING_ATOMICS(double, real)
}

static void the_old_waits_work(void) {
  static short small;
  word = 0, number = 0, longer = 0;
  shmem_barrier_all();
  shmem_long_p(&word, 3, right());
  shmem_long_wait(&word, 0);
  (shmem_wait)(&word, 0);
  (shmem_wait_until)(&word, SHMEM_CMP_EQ, 3);
  shmem_int_p(&number, 4, right());
  shmem_int_wait(&number, 0);
  shmem_longlong_p(&longer, 5, right());
  shmem_longlong_wait(&longer, 0);
  shmem_short_p(&small, 6, right());
  shmem_short_wait(&small, 0);
  CHECK(word == 3 && number == 4 && longer == 5 && small == 6, "the values waited for");
  CHECK(_SHMEM_CMP_EQ == SHMEM_CMP_EQ && _SHMEM_CMP_GE == SHMEM_CMP_GE, "the old constants are the new ones");
}

/* The exit hook of start_pes is the parent's affair. */
static void a_childs_exit_does_not_finalize(void) {
  int status = -1;
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) exit(3);
  waitpid(child, &status, 0);
  CHECK(status >> 8 == 3, "the child's status is %d", status);
  shmem_barrier_all();
  CHECK(shmem_long_g(&word, right()) == 3, "the library still works");
}

/* start_pes needs no finalize and may be called again; its argument means nothing. */
int main(void) {
  start_pes(0);
  start_pes(17);
  learn_who_i_am();
  old_queries_agree_with_the_new_ones();
  the_old_heap_routines_work();
  the_old_atomics_work();
  shmem_barrier_all();
  the_old_waits_work();
  a_childs_exit_does_not_finalize();
  return verdict();
}
