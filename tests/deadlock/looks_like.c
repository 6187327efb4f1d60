/* Programs that only look as if they hung: for some seconds all but one PE wait, and that one waits for something outside, or
 * is at work. By name.
 * SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <shmem.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
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

/* Until the test lets it go. */
static void waits(void) {
  printf("ready %d %p\n", (int)getpid(), (void*)&flag), fflush(stdout);
  shmem_int_wait_until(&flag, SHMEM_CMP_NE, 0);
}

static int caught; /* the signal that the test sends */
static void waits_for_a_signal(void) {
  signal(caught, set_flag);
  waits();
}

static void* wait_for_signal(void* signals) {
  int found;
  sigwait(signals, &found);
  shmem_int_p(&flag, 1, shmem_my_pe());
  return NULL;
}
static void thread_waits_for_a_signal(void) {
  sigset_t signals;
  pthread_t thread;
  sigemptyset(&signals), sigaddset(&signals, caught);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
  pthread_create(&thread, NULL, wait_for_signal, &signals);
  waits();
  pthread_join(thread, NULL);
}

/* What is a PE's own a child has a copy of; what is another's it shares. So it lets PE 1 go, which lets PE 0 go. */
static int store_late(void* target) {
  sleep(seconds);
  __atomic_store_n((int*)target, 1, __ATOMIC_SEQ_CST);
  _exit(0);
}
static void child_stores(void) {
  int* const there = shmem_ptr(&flag, 1);
  if (fork() == 0) store_late(there);
  shmem_int_wait_until(&flag, SHMEM_CMP_NE, 0);
}
static void grandchild_stores(void) {
  int* const there = shmem_ptr(&flag, 1);
  const pid_t child = fork();
  if (child == 0) {
    if (fork() == 0) store_late(there);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  shmem_int_wait_until(&flag, SHMEM_CMP_NE, 0);
}
static void child_of_clone_stores(void) {
  static char stack[1 << 16] __attribute__((aligned(16)));
  if (clone(store_late, stack + sizeof stack, CLONE_VM | CLONE_FILES, shmem_ptr(&flag, 1)) < 0) abort();
  shmem_int_wait_until(&flag, SHMEM_CMP_NE, 0);
}
/* Beside another that has ended, and for which nobody has waited. */
static void second_child_stores(void) {
  if (fork() == 0) _exit(0);
  child_stores();
}
static void spawned_child_sends_a_signal(void) {
  char command[80];
  char* arguments[] = {"sh", "-c", command, NULL};
  extern char** environ;
  pid_t child;
  signal(SIGTERM, set_flag);
  snprintf(command, sizeof command, "sleep %d; kill -TERM %d", seconds, (int)getpid());
  if (posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ) != 0) abort();
  shmem_int_wait_until(&flag, SHMEM_CMP_NE, 0);
}

/* A debugger that stops nobody and sets the variable late: debugs PROCESS ADDRESS. */
static int debugs(const char* process, const char* address) {
  char path[80];
  const int one = 1;
  if (ptrace(PTRACE_SEIZE, (pid_t)atoi(process), NULL, NULL) != 0) return 77;
  printf("attached\n"), fflush(stdout);
  sleep(seconds);
  snprintf(path, sizeof path, "/proc/%s/mem", process);
  const int memory = open(path, O_WRONLY);
  return pwrite(memory, &one, sizeof one, (off_t)strtoull(address, NULL, 16)) != sizeof one;
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
    {"catches_before_init", waits},
    {"waits_for_a_debugger", waits},
    {"thread_waits_for_a_signal", thread_waits_for_a_signal},
    {"child_stores", child_stores},
    {"grandchild_stores", grandchild_stores},
    {"child_of_clone_stores", child_of_clone_stores},
    {"second_child_stores", second_child_stores},
    {"spawned_child_sends_a_signal", spawned_child_sends_a_signal},
    {"thread_reads_a_pipe", thread_reads_a_pipe},
    {"thread_sleeps", thread_sleeps},
    {"thread_waits_for_a_semaphore", thread_waits_for_a_semaphore},
    {"threads_take_turns", threads_take_turns},
};

int main(int argc, char** argv) {
  int provided;
  if (argc > 3 && strcmp(argv[1], "debugs") == 0) return debugs(argv[2], argv[3]);
  if (argc > 2) caught = atoi(argv[2]);
  if (argc > 2 && strcmp(argv[1], "catches_before_init") == 0) signal(caught, set_flag);
  const int early = argc > 1 && strcmp(argv[1], "comes_late") == 0;
  if (early && strcmp(getenv("ATRIUM_JOB_PE"), "0") == 0) sleep(seconds);
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  const int me = shmem_my_pe();
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (me == 0 && argc > 1 && strcmp(argv[1], all[i].name) == 0) all[i].run();
  if (me == 1 && argc > 1 && strstr(argv[1], "_stores")) {
    shmem_int_wait_until(&flag, SHMEM_CMP_NE, 0);
    shmem_int_p(&flag, 1, 0);
  }
  shmem_barrier_all();
  if (me == 0) printf("PE 0 has come to the end\n");
  shmem_finalize();
  if (argc > 1 && me == 0 && strcmp(argv[1], "goes_late") == 0) sleep(seconds);
}
