/* Uses a PE or a context that does not exist, in the way its first argument says; the second is the PE. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

static long word;

static void put_on_team(int pe) {
  shmem_team_t all;
  shmem_ctx_t ctx;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), NULL, 0, &all);
  if (shmem_team_create_ctx(all, 0, &ctx) == 0) shmem_ctx_long_p(ctx, &word, 1, pe);
}

static void put_alone(int pe) {
  shmem_team_t alone;
  shmem_ctx_t ctx;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &alone);
  if (shmem_my_pe() == 0 && shmem_team_create_ctx(alone, 0, &ctx) == 0) shmem_ctx_long_p(ctx, &word, 1, pe);
}

static void look(int pe) {
  if (shmem_ptr(&word, pe) == NULL) puts("nobody");
}

/* As large as a program would make it that knows its own handler alone, and in front of it memory that must not be touched. */
static void take_small_stack(size_t room) {
  const size_t page = (size_t)getpagesize(), frame = getauxval(AT_MINSIGSTKSZ),
               bytes = ((frame ? frame : MINSIGSTKSZ) + room + page - 1) / page * page;
  char* const memory = mmap(NULL, page + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const stack_t stack = {.ss_sp = memory + page, .ss_size = bytes};
  mprotect(memory, page, PROT_NONE);
  sigaltstack(&stack, NULL);
}

static int stray_pe;

static void* put_astray_here(void* unused) {
  take_small_stack(1024);
  shmem_putmem(malloc(8), &word, sizeof word, stray_pe);
  return unused;
}

static void put_astray(int pe, int by_a_thread) {
  pthread_t thread;
  stray_pe = pe;
  if (!by_a_thread)
    shmem_putmem(malloc(8), &word, sizeof word, pe);
  else if (pthread_create(&thread, NULL, put_astray_here, NULL) == 0)
    pthread_join(thread, NULL);
}

static void step_out(int signal) {
  (void)signal;
  _Exit(write(STDOUT_FILENO, "own handler\n", 12) == 12 ? 7 : 8);
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const char* way = argv[1];
  const int pe = atoi(argv[2]);
  if (!strcmp(way, "stray")) take_small_stack(4096);
  if (!strcmp(way, "handled") || !strcmp(way, "small")) signal(SIGSEGV, step_out);
  shmem_init();
  if (!strcmp(way, "small") || !strcmp(way, "tiny")) take_small_stack(8192);
  if (!strcmp(way, "tiny stray")) take_small_stack(1024);
  if (!strcmp(way, "late stray")) take_small_stack(65536);
  if (!strcmp(way, "put")) shmem_long_p(&word, 1, pe);
  if (!strcmp(way, "team")) put_on_team(pe);
  if (!strcmp(way, "alone")) put_alone(pe);
  if (!strcmp(way, "ptr")) look(pe);
  if (!strcmp(way, "context")) shmem_ctx_long_p(SHMEM_CTX_INVALID, &word, 1, pe);
  if (!strcmp(way, "null") || !strcmp(way, "handled") || !strcmp(way, "small") || !strcmp(way, "tiny"))
    *(volatile long*)(size_t)pe = 1;
  if (strstr(way, "stray")) put_astray(pe, strstr(way, "thread") != NULL);
  if (!strcmp(way, "sent")) raise(SIGSEGV);
  shmem_finalize();
  return 0;
}
