/* Between nodes: calls that a signal handler interrupts and makes, and a thread that is cancelled while it waits.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: interrupted handler | exit | cancel    handler: a handler calls a routine, again and again, until one comes in the middle of
 * another. exit: a handler ends the program in the middle of one. cancel: a thread that waits is cancelled; the others communicate. */
#include <pthread.h>
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static long counter, word, sum;
static const char* mode;

static int other(void) { return (shmem_my_pe() + 1) % shmem_n_pes(); }

static void interrupt(int signal) {
  (void)signal;
  if (!strcmp(mode, "exit")) exit(5);
  shmem_long_atomic_inc(&counter, other());
}

static void be_interrupted(void) {
  const struct itimerval often = {{0, 700}, {0, strcmp(mode, "exit") ? 700 : 50000}};
  signal(SIGALRM, interrupt);
  setitimer(ITIMER_REAL, &often, NULL);
  for (;;) sum += shmem_long_atomic_fetch_inc(&word, other());
}

static void* wait_for_word(void* unused) {
  shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
  return unused;
}

static void cancel_a_thread(void) {
  pthread_t thread;
  word = 0;
  shmem_barrier_all();
  pthread_create(&thread, NULL, wait_for_word, NULL);
  for (int turn = 0; turn < 20; turn++) sum += shmem_long_atomic_fetch(&counter, other());
  pthread_cancel(thread);
  for (int turn = 0; turn < 20; turn++) sum += shmem_long_atomic_fetch(&counter, other());
  shmem_long_p(&word, 1, other());
  pthread_join(thread, NULL);
}

int main(int argc, char** argv) {
  int provided;
  mode = argc > 1 ? argv[1] : "";
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  if (strcmp(mode, "cancel")) be_interrupted();
  for (int time = 0; time < 20; time++) cancel_a_thread();
  shmem_barrier_all();
  if (shmem_my_pe() == 0) printf("all are joined\n");
  shmem_finalize();
}
