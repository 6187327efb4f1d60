/* The last PE is stopped for as many seconds as the argument says, as by a debugger; the others wait for it, and all goes on.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <signal.h>
#include <unistd.h>

#include "../conformance/check.h"

static void be_stopped(unsigned seconds) {
  const pid_t stopped = getpid();
  if (fork() == 0) {
    sleep(seconds);
    kill(stopped, SIGCONT);
    _exit(0);
  }
  raise(SIGSTOP);
}

int main(int argc, char** argv) {
  static long sum, one = 1;
  begin();
  const int last = npes - 1;
  shmem_barrier_all();
  if (me == last && argc > 1) be_stopped((unsigned)atoi(argv[1]));
  shmem_long_atomic_add(&sum, 1, last);
  CHECK(shmem_long_g(&one, last) == 1, "PE %d gave something else", last);
  shmem_barrier_all();
  if (me == last) CHECK(sum == last + 1, "%ld PEs have come", sum);
  return end();
}
