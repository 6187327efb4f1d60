/* A PE forks, and the child does what only a PE may do.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: forks exit | CALL...    exit: the child ends by exit(), with shmem_finalize registered by atexit. CALL: the
 * child calls that routine. A child must leave the job alone; PE 0 prints the status of each of its children. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static long flag;
static int me, n;
static shmem_ctx_t context;
static shmem_team_t team, other;
static void* block;

static void call(const char* what) {
  long value = 0;
  if (!strcmp(what, "exit")) exit(0);
  if (!strcmp(what, "init")) shmem_init();
  if (!strcmp(what, "put")) shmem_long_p(&flag, 99, 1);
  if (!strcmp(what, "context_put")) shmem_ctx_long_p(context, &flag, 99, 1);
  if (!strcmp(what, "wrong")) shmem_long_p(&flag, 99, -1);
  if (!strcmp(what, "add")) shmem_long_atomic_add(&flag, 99, 1);
  if (!strcmp(what, "get")) value = shmem_long_g(&flag, 1);
  if (!strcmp(what, "barrier")) shmem_barrier_all();
  if (!strcmp(what, "sync")) shmem_team_sync(team);
  if (!strcmp(what, "split")) shmem_team_split_strided(team, 0, 1, 1, NULL, 0, &team);
  if (!strcmp(what, "split_2d")) shmem_team_split_2d(team, 2, NULL, 0, &team, NULL, 0, &other);
  if (!strcmp(what, "reduce")) shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &flag, &flag, 1);
  if (!strcmp(what, "lock")) shmem_set_lock(&flag);
  if (!strcmp(what, "malloc")) block = shmem_malloc(8);
  if (!strcmp(what, "free")) shmem_free(block);
  if (!strcmp(what, "global_exit")) shmem_global_exit(0);
  _exit((int)value);
}

static int status_of_child(const char* what) {
  int status = -1;
  fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0) call(what);
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The heap and the statics are what they were, and no barrier lets go before PE 0 has come. */
static void require_a_whole_job(const long* heap, size_t words) {
  if (me == 0) flag = 1;
  for (int pe = 1; me == 0 && pe < n; ++pe) shmem_long_p(&flag, 1, pe);
  shmem_barrier_all();
  if (flag != 1)
    fprintf(stderr, "PE %d: passed the barrier before PE 0 entered it\n", me), shmem_global_exit(7);
  for (size_t i = 0; i < words; ++i)
    if (heap[i] != me + 1) fprintf(stderr, "PE %d: word %zu is lost\n", me, i), shmem_global_exit(8);
}

int main(int argc, char** argv) {
  const size_t words = 1 << 17;
  shmem_init();
  me = shmem_my_pe(), n = shmem_n_pes();
  long* heap = shmem_malloc(words * sizeof *heap);
  for (size_t i = 0; i < words; ++i) heap[i] = me + 1;
  block = shmem_malloc(64);
  if (shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &team) ||
      shmem_team_create_ctx(team, 0, &context))
    shmem_global_exit(9);
  atexit(shmem_finalize);
  shmem_barrier_all();
  for (int i = 1; i < argc && me == 0; ++i)
    printf("%s %d\n", argv[i], status_of_child(argv[i])), fflush(stdout);
  require_a_whole_job(heap, words);
  if (argc > 1 && !strcmp(argv[1], "crash") && me == 0) {
    status_of_child("wrong");
    *(volatile int*)(size_t)atoi("8") = 1;
  }
  if (argc > 1 && !strcmp(argv[1], "leave") && me == 0) {
    status_of_child("wrong");
    _exit(0);
  }
  return 0;
}
