/* PE 0 ends without shmem_finalize at once. The others do, too, and their exit takes longer; or, with an argument, they work on.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <stdlib.h>
#include <unistd.h>

static int me;

static void linger(void) {
  if (me > 0) sleep(4);
}

int main(int argc, char** argv) {
  (void)argv;
  if (argc == 1) atexit(linger); /* before shmem_init: runs after what that registers */
  shmem_init();
  me = shmem_my_pe();
  if (argc > 1) linger();
  exit(0);
}
