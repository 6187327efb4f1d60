/* Programs that only look as if they hung: for some seconds all but one PE wait, and that one waits for something outside, or
 * is at work. By name.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <shmem.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { seconds = 5 };
static int flag;
static int ready[2];
static sem_t* outside; /* in memory that a child shares, which is no PE */

static time_t now(void) { return time(NULL); }

static void computes(void) {
  volatile double sum = 0;
  for (time_t end = now() + seconds; now() < end;)
    for (int i = 0; i < 1000000; i++) sum += i;
}

static void sleeps(void) { sleep(seconds); }

static void reads_input(void) {
  char line[80];
  if (!fgets(line, sizeof line, stdin)) abort();
}

static void waits_for_a_child(void) {
  if (system("sleep 5") != 0) abort();
}

static void tests_until_then(void) {
  for (time_t end = now() + seconds; now() < end;)
    if (shmem_int_test(&flag, SHMEM_CMP_NE, 0)) abort();
}

static void tests_for_ever(void) {
  while (!shmem_int_test(&flag, SHMEM_CMP_NE, 0)) continue;
}

static void puts_a_little_now_and_then(void) {
  for (int i = 0; i < 10 * seconds; i++) {
    shmem_int_p(&ready[0], i, 1);
    shmem_quiet();
    usleep(100000);
  }
}

static void set_flag(int signal) {
  (void)signal;
  flag = 1;
}
static void waits_for_an_alarm(void) {
  signal(SIGALRM, set_flag);
  alarm(seconds);
  shmem_int_wait_until(&flag, SHMEM_CMP_NE, 0);
}

/* Sent by the test. */
static void waits_for_a_signal(void) {
  signal(SIGUSR1, set_flag);
  printf("ready\n"), fflush(stdout);
  shmem_int_wait_until(&flag, SHMEM_CMP_NE, 0);
}

static void* read_pipe(void* end) {
  char byte;
  if (read(*(int*)end, &byte, 1) != 1) abort();
  shmem_int_p(&flag, 1, shmem_my_pe());
  return NULL;
}
static void thread_reads_a_pipe(void) {
  int ends[2];
  pthread_t thread;
  if (pipe(ends) != 0) abort();
  if (fork() == 0) sleep(seconds), _exit(write(ends[1], "x", 1) != 1);
  pthread_create(&thread, NULL, read_pipe, &ends[0]);
  shmem_int_wait_until(&flag, SHMEM_CMP_NE, 0);
  pthread_join(thread, NULL), wait(NULL);
}

static void* sleep_then_set(void* nothing) {
  sleep(seconds);
  shmem_int_p(&flag, 1, shmem_my_pe());
  return nothing;
}
static void thread_sleeps(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, sleep_then_set, NULL);
  shmem_int_wait_until(&flag, SHMEM_CMP_NE, 0);
  pthread_join(thread, NULL);
}

static void* wait_outside(void* nothing) {
  sem_wait(outside);
  shmem_int_p(&flag, 1, shmem_my_pe());
  return nothing;
}
static void thread_waits_for_a_semaphore(void) {
  pthread_t thread;
  outside = mmap(NULL, sizeof *outside, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  sem_init(outside, 1, 0);
  if (fork() == 0) sleep(seconds), _exit(sem_post(outside));
  pthread_create(&thread, NULL, wait_outside, NULL);
  shmem_int_wait_until(&flag, SHMEM_CMP_NE, 0);
  pthread_join(thread, NULL), wait(NULL);
}

/* Two that let each other go, each asleep for a moment: at no time do both of them sleep. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static long turn, over;
static void* take_turns(void* number) {
  const time_t end = now() + seconds;
  pthread_mutex_lock(&mutex);
  while (!over) {
    if (turn % 2 != (number != NULL)) {
      pthread_cond_wait(&change, &mutex);
      continue;
    }
    ++turn;
    over = now() >= end;
    pthread_cond_broadcast(&change);
  }
  pthread_mutex_unlock(&mutex);
  if (!number) shmem_int_p(&flag, 1, shmem_my_pe());
  return NULL;
}
static void threads_take_turns(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, take_turns, (void*)i);
  shmem_int_wait_until(&flag, SHMEM_CMP_NE, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}

static const struct {
  const char* name;
  void (*run)(void);
} all[] = {
    {"computes", computes},
    {"sleeps", sleeps},
    {"reads_input", reads_input},
    {"waits_for_a_child", waits_for_a_child},
    {"tests_until_then", tests_until_then},
    {"tests_for_ever", tests_for_ever},
    {"puts_a_little_now_and_then", puts_a_little_now_and_then},
    {"waits_for_an_alarm", waits_for_an_alarm},
    {"waits_for_a_signal", waits_for_a_signal},
    {"thread_reads_a_pipe", thread_reads_a_pipe},
    {"thread_sleeps", thread_sleeps},
    {"thread_waits_for_a_semaphore", thread_waits_for_a_semaphore},
    {"threads_take_turns", threads_take_turns},
};

int main(int argc, char** argv) {
  int provided;
  const int early = argc > 1 && strcmp(argv[1], "comes_late") == 0;
  if (early && strcmp(getenv("ATRIUM_JOB_PE"), "0") == 0) sleep(seconds);
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  const int me = shmem_my_pe();
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (me == 0 && argc > 1 && strcmp(argv[1], all[i].name) == 0) all[i].run();
  shmem_barrier_all();
  if (me == 0) printf("PE 0 has come to the end\n");
  shmem_finalize();
  if (argc > 1 && me == 0 && strcmp(argv[1], "goes_late") == 0) sleep(seconds);
}
