/* main() ends by pthread_exit, and the process with its last thread; an exit handler says so. The argument says who that is. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long word;

static void say(void) { puts("over"); }

static void* work(void* unused) {
  usleep(300000);
  shmem_long_p(&word, 1, (shmem_my_pe() + 1) % shmem_n_pes());
  shmem_barrier_all();
  puts(word == 1 ? "worked" : "lost");
  shmem_finalize();
  return unused;
}

int main(int argc, char** argv) {
  const char* const way = argc > 1 ? argv[1] : "";
  pthread_t thread;
  int provided;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  atexit(say);
  shmem_barrier_all();
  if (!strcmp(way, "finalized")) shmem_finalize();
  if (!strcmp(way, "worker")) pthread_create(&thread, NULL, work, NULL);
  pthread_exit(NULL);
}
