/* Children of a PE: their writes stay theirs, their exit does no harm (fork, system, popen after shmem_init).
 * SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static long global = 1;
static char large[1 << 20];

static int run_child(int (*child)(void)) {
  int status = -1;
  fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0) _exit(child());
  waitpid(pid, &status, 0);
  return status;
}

static int child_writes_globals(void) {
  if (global != me + 10 || large[7] != 'p') return 1;
  global = -1;
  memset(large, 'c', sizeof large);
  return global == -1 && large[sizeof large - 1] == 'c' ? 0 : 2;
}

static void a_childs_globals_are_its_own(void) {
  global = me + 10;
  memset(large, 'p', sizeof large);
  shmem_barrier_all();
  CHECK(run_child(child_writes_globals) == 0, "the child sees the parent's values and can write its own");
  CHECK(global == me + 10 && large[0] == 'p' && large[sizeof large - 1] == 'p',
        "the parent's globals are untouched");
  shmem_barrier_all();
}

/* A put that arrives while the child lives goes to the parent and not to the child. */
static void puts_reach_the_parent_while_a_child_lives(void) {
  int pipe_ends[2];
  CHECK(pipe(pipe_ends) == 0, "a pipe");
  global = 5;
  shmem_barrier_all();
  fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0) {
    char go;
    const int got = (int)read(pipe_ends[0], &go, 1);
    _exit(got == 1 && global == 5 ? 0 : 1);
  }
  shmem_barrier_all();
  shmem_long_p(&global, 500 + me, right());
  shmem_barrier_all();
  CHECK(global == 500 + left(), "the parent gets %ld", global);
  int status = -1;
  CHECK(write(pipe_ends[1], "g", 1) == 1, "a word to the child");
  waitpid(pid, &status, 0);
  CHECK(status == 0, "the child still sees the old value (status %d)", status);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  shmem_barrier_all();
}

static void system_and_popen_work(void) {
  char line[64] = "";
  CHECK(system("exit 7") >> 8 == 7, "system returns the status");
  FILE* output = popen("echo from a child", "r");
  CHECK(output && fgets(line, sizeof line, output), "popen gives a line");
  CHECK(strcmp(line, "from a child\n") == 0, "the line is %s", line);
  if (output) CHECK(pclose(output) == 0, "pclose returns 0");
}

static int child_exits_normally(void) {
  exit(3); /* runs exit handlers: they must not finalize on behalf of the parent */
}

static void a_childs_exit_does_not_end_the_job(void) {
  CHECK(run_child(child_exits_normally) >> 8 == 3, "the child's own status");
  shmem_barrier_all();
  shmem_long_p(&global, me, right());
  shmem_barrier_all();
  CHECK(global == left(), "the library still works");
}

static char untouched[1 << 20]; /* no PE writes here: only children do */

static int grandchild_reads_globals(void) {
  return untouched[12345] == 'g' && untouched[sizeof untouched - 1] == 'h' && global == -2 ? 0 : 4;
}

static int child_writes_and_forks(void) {
  untouched[12345] = 'g';
  untouched[sizeof untouched - 1] = 'h';
  global = -2;
  return run_child(grandchild_reads_globals) >> 8;
}

static void children_of_children_see_what_their_parent_wrote(void) {
  const int status = run_child(child_writes_and_forks);
  CHECK(status == 0, "the grandchild says %d", status >> 8);
  CHECK(untouched[12345] == 0, "the grandparent's globals are untouched");
  shmem_barrier_all();
}

static void many_children(void) {
  for (int i = 0; i < 20; ++i) {
    global = me + 10;
    memset(large, 'p', 16);
    CHECK(run_child(child_writes_globals) == 0, "child %d", i);
  }
}

static int child_reads_large(void) {
  for (size_t i = 0; i < sizeof large; i += 1024)
    if (large[i] != 'p') return 3;
  return 0;
}

static void* fork_often(void* failures) {
  for (int i = 0; i < 20; ++i) *(int*)failures += run_child(child_reads_large) != 0;
  return NULL;
}

static void threads_fork_at_the_same_time(void) {
  pthread_t threads[3];
  int failures[3] = {0};
  memset(large, 'p', sizeof large);
  for (int i = 0; i < 3; ++i)
    CHECK(pthread_create(&threads[i], NULL, fork_often, &failures[i]) == 0, "a thread");
  for (int i = 0; i < 3; ++i) {
    pthread_join(threads[i], NULL);
    CHECK(failures[i] == 0, "%d children of thread %d saw other globals", failures[i], i);
  }
}

int main(void) {
  begin();
  a_childs_globals_are_its_own();
  puts_reach_the_parent_while_a_child_lives();
  system_and_popen_work();
  a_childs_exit_does_not_end_the_job();
  many_children();
  children_of_children_see_what_their_parent_wrote();
  if (getauxval(AT_BASE) != 0) threads_fork_at_the_same_time(); /* no static program: docs/design/memory.md */
  return end();
}
