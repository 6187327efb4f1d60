// Every PE asks for very much at once, by as many threads as the argument says, and gets it.
// SPDX-License-Identifier: BSD-3-Clause
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { block = 8192, blocks = 64, most_gets = 10000 };
// A block is got often, and always the same.
static char theirs[blocks][block], mine[blocks][block];
static long counter, olds[most_gets];
static int threads, peer;

static void* ask(void* number) {
  const int first = (int)(size_t)number;
  for (int i = first; i < most_gets; i += threads) {
    const size_t bytes = i % 3 == 0 ? 8 : block;  // those that ask for little are among the others
    shmem_getmem_nbi(mine[i % blocks], theirs[i % blocks], bytes, peer);
    shmem_long_atomic_fetch_add_nbi(&olds[i], &counter, 1, peer);
  }
  shmem_quiet();
  return NULL;
}

static int compare(const void* one, const void* other) {
  const long a = *(const long*)one, b = *(const long*)other;
  return (a > b) - (a < b);
}

int main(int argc, char** argv) {
  int provided;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  threads = argc > 1 ? atoi(argv[1]) : 1;
  peer = (shmem_my_pe() + shmem_n_pes() / 2) % shmem_n_pes();
  for (int i = 0; i < blocks; ++i) memset(theirs[i], i + 1, block);
  shmem_barrier_all();
  pthread_t all[16];
  for (int i = 0; i < threads; ++i) pthread_create(&all[i], NULL, ask, (void*)(size_t)i);
  for (int i = 0; i < threads; ++i) pthread_join(all[i], NULL);
  shmem_barrier_all();
  int wrong = memcmp(mine, theirs, sizeof mine) != 0;
  qsort(olds, most_gets, sizeof *olds, compare);
  for (int i = 0; i < most_gets; ++i) wrong |= olds[i] != i;
  if (wrong) fprintf(stderr, "PE %d did not get what it has asked for\n", shmem_my_pe());
  shmem_finalize();
  return wrong;
}
