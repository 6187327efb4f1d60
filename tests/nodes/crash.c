// The last PE crashes while those of other nodes read much from it, and they see it before the launcher does, which is stopped meanwhile.
// SPDX-License-Identifier: BSD-3-Clause
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { bytes = 1 << 22 };
static long ready;
static char block[bytes], copy[bytes];

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), last = shmem_n_pes() - 1;
  if (me != last) {
    shmem_long_atomic_inc(&ready, last);
    for (;;) shmem_getmem(copy, block, bytes, last);
  }
  shmem_long_wait_until(&ready, SHMEM_CMP_EQ, last);
  const pid_t launcher = getppid();
  kill(launcher, SIGSTOP);
  char number[16];
  snprintf(number, sizeof number, "%d", (int)launcher);
  // Another program, which does not keep the connections.
  if (fork() == 0) execlp("sh", "sh", "-c", "sleep 0.5; kill -CONT $0", number, (char*)NULL);
  raise(SIGSEGV);
  return 0;
}
