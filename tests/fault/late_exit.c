/* PE 0 ends without shmem_finalize at once. The others do, too, and their exit takes longer; with "works" they work on, with "waits" they
 * wait for all PEs in their exit.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int me;

static void meet(void) {
  if (me > 0) shmem_barrier_all();
}

static void linger(void) {
  if (me > 0) sleep(4);
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "exits";
  /* Before shmem_init: runs after what that registers. */
  if (strcmp(how, "works") != 0) atexit(strcmp(how, "waits") == 0 ? meet : linger);
  shmem_init();
  me = shmem_my_pe();
  if (strcmp(how, "works") == 0) linger();
  exit(0);
}
