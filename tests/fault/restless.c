/* A PE that never rests, in the way its argument says, so that a kill at any moment meets it in the middle of something.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static long flag, lock_word, source[64], target[64 * 16];
static char bytes[1 << 16], copy[1 << 16];
static int me, n;

static void wait_for_all(void) { shmem_barrier_all(); }

static void put(void) {
  shmem_putmem(copy, bytes, sizeof bytes, (me + 1) % n);
  shmem_quiet();
}

static void lock(void) {
  shmem_set_lock(&lock_word);
  flag++;
  shmem_clear_lock(&lock_word);
}

static void collectives(void) {
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, target, source, 32);
  shmem_long_alltoall(SHMEM_TEAM_WORLD, target, source, 1);
  shmem_long_broadcast(SHMEM_TEAM_WORLD, target, source, 8, 0);
}

/* Every PE asks for the same sizes, as the standard demands. */
static void allocate(void) {
  static size_t turn;
  void* block = shmem_malloc(4096 + turn++ % 7 * 1000000);
  if (block) memset(block, 1, 4096);
  shmem_free(block);
}

static void start_again(void) {
  shmem_finalize();
  shmem_init();
}

/* Children that outlive this PE if nobody ends them. */
static void breed(void) {
  if (fork() == 0) {
    if (rand() % 2) setsid();
    usleep(500000);
    _exit(0);
  }
  usleep(20000);
  while (waitpid(-1, NULL, WNOHANG) > 0) continue;
}

static void run_commands(void) {
  if (system("sleep 30 & sleep 0.01") == -1) exit(3);
}

static void print(void) {
  for (int i = 0; i < 100; ++i) printf("PE %d says something of quite some length\n", me);
}

static const struct {
  const char* name;
  void (*step)(void);
} ways[] = {{"barrier", wait_for_all}, {"put", put},           {"lock", lock},   {"collectives", collectives},
            {"allocate", allocate},    {"again", start_again}, {"breed", breed}, {"commands", run_commands},
            {"print", print},          {"deaf", wait_for_all}};

int main(int argc, char** argv) {
  for (int signal_number = 1; argc > 1 && !strcmp(argv[1], "deaf") && signal_number < 16; ++signal_number)
    if (signal_number == SIGTERM || signal_number == SIGINT || signal_number == SIGHUP)
      signal(signal_number, SIG_IGN);
  shmem_init();
  me = shmem_my_pe(), n = shmem_n_pes();
  srand((unsigned)getpid());
  for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof *ways; ++i)
    if (!strcmp(argv[1], ways[i].name))
      for (;;) ways[i].step();
  return 2;
}
