/* Profiling: every routine has a pshmem_ twin, and a program may define its own shmem_ names (10).
 * SPDX-License-Identifier: BSD-3-Clause */
#include <pshmem.h>

#include "check.h"

static int puts_seen, barriers_seen;

/* The tool's definitions; calls of the program, wherever compiled, must come here. */
#undef shmem_long_put
void shmem_long_put(long* dest, const long* source, size_t nelems, int pe) {
  ++puts_seen;
  pshmem_long_put(dest, source, nelems, pe);
}

void shmem_barrier_all(void) {
  ++barriers_seen;
  pshmem_barrier_all();
}

static void my_definitions_are_called(void) {
  static long target;
  long origin = me + 1;
  shmem_long_put(&target, &origin, 1, right());
  shmem_barrier_all();
  CHECK(puts_seen == 1, "%d puts were seen", puts_seen);
  CHECK(barriers_seen == 1, "%d barriers were seen", barriers_seen);
  CHECK(target == left() + 1, "the put arrived");
}

/* What the library does for itself is not the program's call. */
static void the_librarys_own_calls_are_not_seen(void) {
  const int before = barriers_seen;
  shmem_free(shmem_malloc(100));
  CHECK(barriers_seen == before, "%d barriers inside malloc and free were seen", barriers_seen - before);
}

static void twins_do_the_same(void) {
  static long word;
  pshmem_long_p(&word, me + 5, right());
  pshmem_barrier_all();
  CHECK(pshmem_long_g(&word, me) == left() + 5, "pshmem_p and pshmem_g");
  CHECK(pshmem_long_atomic_fetch_inc(&word, me) == left() + 5, "a pshmem_ atomic");
  CHECK(pshmem_my_pe() == me && pshmem_n_pes() == npes, "pshmem_my_pe");
  shmem_pcontrol(1);
  shmem_pcontrol(0, 1, "anything");
}

int main(void) {
  pshmem_init();
  me = pshmem_my_pe();
  npes = pshmem_n_pes();
  my_definitions_are_called();
  the_librarys_own_calls_are_not_seen();
  twins_do_the_same();
  pshmem_finalize();
  return verdict();
}
