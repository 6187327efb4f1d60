/* One PE ends in the way its first argument says while the others are where the second says. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long flag, lock_word, source, target;
static uint64_t signal_word;

static void wait_in(const char* place) {
  if (!strcmp(place, "barrier")) shmem_barrier_all();
  if (!strcmp(place, "sync")) shmem_sync_all();
  if (!strcmp(place, "wait")) shmem_long_wait_until(&flag, SHMEM_CMP_NE, 0);
  if (!strcmp(place, "signal")) shmem_signal_wait_until(&signal_word, SHMEM_CMP_NE, 0);
  if (!strcmp(place, "reduce")) shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &target, &source, 1);
  if (!strcmp(place, "broadcast")) shmem_long_broadcast(SHMEM_TEAM_WORLD, &target, &source, 1, 1);
  if (!strcmp(place, "alltoall"))
    shmem_long_alltoall(SHMEM_TEAM_WORLD, &target, &source, 0), shmem_barrier_all();
  if (!strcmp(place, "malloc")) shmem_malloc(64);
  if (!strcmp(place, "finalize")) shmem_finalize();
  if (!strcmp(place, "lock")) shmem_set_lock(&lock_word);
  if (!strcmp(place, "loop"))
    for (volatile int forever = 1; forever;) continue;
}

/* Four megabytes that stdio holds back until the end. */
static void print_much(void) {
  static char buffer[8 << 20];
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  for (int line = 0; line < 400000; ++line) printf("%09d\n", line);
}

static void* read_input(void* unused) {
  (void)getchar();
  return unused;
}

/* A thread that reads holds the lock of standard input. */
static void start_reader(void) {
  pthread_t reader;
  pthread_create(&reader, NULL, read_input, NULL);
  usleep(100000);
}

/* Deeper than any stack. */
__attribute__((noinline)) static int fill_stack(int depth) {
  volatile char frame[4096];
  frame[0] = (char)depth;
  return depth > 0 ? fill_stack(depth - 1) + frame[0] : frame[0];
}
static void* overflow(void* unused) {
  flag = fill_stack(1 << 20);
  return unused;
}
static void overflow_in_a_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, overflow, NULL);
  pthread_join(thread, NULL);
}

static void end_by(const char* way) {
  if (!strcmp(way, "segv")) *(volatile int*)(size_t)atoi("16") = 1;
  if (!strcmp(way, "overflow")) overflow_in_a_thread();
  if (!strcmp(way, "overflow_here")) overflow(NULL);
  if (!strcmp(way, "abort")) abort();
  if (!strcmp(way, "kill")) kill(getpid(), SIGKILL);
  if (!strcmp(way, "bus")) raise(SIGBUS);
  if (!strcmp(way, "reading")) start_reader(), shmem_global_exit(9);
  if (!strcmp(way, "refused")) start_reader(), shmem_long_p(&flag, 1, shmem_n_pes());
  if (!strcmp(way, "verbose")) print_much(), shmem_global_exit(9);
  if (!strcmp(way, "global")) shmem_global_exit(9);
  if (!strcmp(way, "hang")) pause();
  exit(atoi(way)); /* without shmem_finalize */
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  if (getenv("VICTIM_STARTS"))
    start_pes(0);
  else
    shmem_init();
  if (shmem_my_pe() == 1) shmem_set_lock(&lock_word);
  shmem_barrier_all();
  printf("ready\n");
  fflush(stdout);
  if (shmem_my_pe() == 1 || shmem_n_pes() == 1) {
    usleep(100000); /* let the others arrive and go to sleep */
    end_by(argv[1]);
  }
  wait_in(argv[2]);
  for (;;) pause();
}
