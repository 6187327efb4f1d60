/* Completed means completed: when quiet returns, the data is in the target's memory, whatever the target does. Who looks is not the
 * library but the kernel (process_vm_readv), in the same moment. The target computes, sleeps and tests in turn.
 * SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "../conformance/check.h"

enum { most = 65536 };
static char target[most];
static struct {
  long pid;
  char* target;
} there, published;
static long done;
static const size_t sizes[] = {8, 8, 64, 1024, 8192, 8200, most};

static int differs(const char* expected, size_t bytes) {
  static char seen[most];
  const struct iovec here = {seen, bytes}, remote = {there.target, bytes};
  if (process_vm_readv((pid_t)there.pid, &here, 1, &remote, 1, 0) != (ssize_t)bytes) {
    puts("cannot trace processes here");
    exit(77);
  }
  return memcmp(seen, expected, bytes) != 0;
}

static void store(const char* source, size_t bytes, int way) {
  shmem_ctx_t context = SHMEM_CTX_DEFAULT;
  if (way == 1 && shmem_ctx_create(0, &context) != 0) context = SHMEM_CTX_DEFAULT;
  if (bytes == 8 && way == 0)
    shmem_ctx_long_p(context, (long*)target, *(const long*)source, 1);
  else if (way == 2)
    shmem_ctx_putmem(context, target, source, bytes, 1);
  else
    shmem_ctx_putmem_nbi(context, target, source, bytes, 1);
  shmem_ctx_quiet(context);
  if (way == 1) shmem_ctx_destroy(context);
}

static void look(void) {
  static char source[most];
  const int rounds = (int)test_rounds(10000);
  int misses = 0;
  shmem_getmem(&there, &published, sizeof there, 1);
  for (int round = 1; round <= rounds; ++round) {
    const size_t bytes = sizes[round % 7];
    memset(source, round % 251 + 1, bytes);
    memcpy(source, &round, sizeof round);
    store(source, bytes, round % 3);
    misses += differs(source, bytes);
  }
  CHECK(misses == 0, "%d of %d rounds were not there when quiet returned", misses, rounds);
  shmem_long_p(&done, 1, 1);
}

static void be_target(void) {
  volatile long work = 0;
  for (int turn = 0; !*(volatile long*)&done; ++turn) {
    for (int i = 0; i < 100000; ++i) work = work + i;
    if (turn % 3 == 1) usleep(50);
    if (turn % 3 == 2) shmem_long_test(&done, SHMEM_CMP_NE, 0);
  }
}

int main(void) {
  begin();
  published.pid = getpid();
  published.target = target;
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  shmem_barrier_all();
  if (me == 0) look();
  if (me == 1) be_target();
  shmem_barrier_all();
  return end();
}
