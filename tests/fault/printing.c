/* Every PE prints what no line ends, on standard output and into a file of its own in the folder of its argument; then PE 0 calls
 * shmem_global_exit, while PE 1 waits and PE 2 computes. With a second argument PE 1 has a handler for SIGTERM.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static long never;

static void say(int signal) {
  (void)signal;
  _exit(write(STDERR_FILENO, "own handler\n", 12) == 12 ? 0 : 1);
}

int main(int argc, char** argv) {
  char path[4096];
  shmem_init();
  const int me = shmem_my_pe();
  if (argc > 2 && me == 1) signal(SIGTERM, say);
  snprintf(path, sizeof path, "%s/%d", argv[1], me);
  FILE* const file = fopen(path, "w");
  if (!file) return 2;
  fprintf(file, "written by %d", me);
  printf("printed by %d", me);
  shmem_barrier_all();
  if (me == 0) shmem_global_exit(9);
  if (me == 1) shmem_long_wait_until(&never, SHMEM_CMP_NE, 0);
  for (volatile long turns = 0;; ++turns) continue;
}
