/* Threads: several in each PE, all of which communicate.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * oshcc 13_threads.c -o threads -pthread && oshrun -n 2 ./threads
 * Says: ... threads of ... PEs: every addition counted
 */
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>

enum { THREADS = 4, EACH = 1000 };
static long counter;

/* Every thread adds to the counters of all PEs in turn. */
static void* add(void* unused) {
  int n = shmem_n_pes();
  for (int i = 0; i < EACH * n; i++) shmem_long_atomic_inc(&counter, i % n);
  shmem_quiet();
  return unused;
}

int main(void) {
  int provided;
  if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) != 0 || provided != SHMEM_THREAD_MULTIPLE) {
    fprintf(stderr, "this library does not allow communication by several threads\n");
    return 1;
  }
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, add, NULL);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  shmem_barrier_all(); /* one thread per PE for collectives */

  int n = shmem_n_pes();
  int right = counter == (long)THREADS * EACH * n;
  if (!right) fprintf(stderr, "PE %d: %ld additions\n", shmem_my_pe(), counter);
  if (shmem_my_pe() == 0 && right) printf("%d threads of %d PEs: every addition counted\n", THREADS * n, n);
  shmem_finalize();
  return right ? 0 : 1;
}
