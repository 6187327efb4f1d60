/* Names memory to another PE that is not symmetric, in the way its first argument says; the second is how it is moved.
 * PE 0 names it to the PE of the third argument, else to the one in front of it. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static long symmetric[256], many[1 << 13];
static _Thread_local long thread_local_word;
static long* of_a_peer;

static long* memory(const char* kind, long* on_stack) {
  if (!strcmp(kind, "malloc")) return malloc(sizeof(long));
  if (!strcmp(kind, "large")) return malloc(64 << 20);
  if (!strcmp(kind, "brk")) return sbrk(4096);
  if (!strcmp(kind, "stack")) return on_stack;
  if (!strcmp(kind, "thread")) return &thread_local_word;
  if (!strcmp(kind, "constant")) return (long*)(uintptr_t) "a string that is long enough";
  if (!strcmp(kind, "code")) return (long*)(uintptr_t)&memory;
  if (!strcmp(kind, "library")) return (long*)(uintptr_t)stdout;
  if (!strcmp(kind, "mapped"))
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (!strcmp(kind, "behind_globals")) return symmetric + (1 << 14);
  if (!strcmp(kind, "behind_heap"))
    return (long*)((char*)shmem_malloc(8) + strtoul(getenv("SHMEM_SYMMETRIC_SIZE"), NULL, 10));
  if (!strcmp(kind, "peer")) return of_a_peer;
  return symmetric;
}

static void count_mappings(void) {
  FILE* maps = fopen("/proc/self/maps", "r");
  int lines = 0;
  for (int c; maps && (c = fgetc(maps)) != EOF;) lines += c == '\n';
  printf("%d mappings\n", lines);
  if (maps) fclose(maps);
}

/* Puts to every PE, if that is how. */
static void name_every(const char* how, int pes) {
  for (int pe = 0; !strcmp(how, "all") && pe < pes; pe++) shmem_long_p(symmetric, 0, pe);
}

static const char* const ways[] = {"p",    "g",    "put", "get",    "amo", "inc",
                                   "swap", "iput", "nbi", "signal", NULL};

static long use(const char* how, long* at, int pe) {
  long value = 7, more[512] = {0};
  if (!strcmp(how, "p")) shmem_long_p(at, value, pe);
  if (!strcmp(how, "g")) return shmem_long_g(at, pe);
  if (!strcmp(how, "put")) shmem_long_put(at, more, (size_t)(value == 7 ? 1 : 2), pe);
  if (!strcmp(how, "many")) shmem_putmem(at, many, sizeof many, pe);
  if (!strcmp(how, "get")) shmem_long_get(more, at, (size_t)(value == 7 ? 1 : 2), pe);
  if (!strcmp(how, "amo")) return shmem_long_atomic_fetch_add(at, 1, pe);
  if (!strcmp(how, "inc")) shmem_long_atomic_inc(at, pe);
  if (!strcmp(how, "swap")) return shmem_long_atomic_compare_swap(at, 0, 1, pe);
  if (!strcmp(how, "iput")) shmem_long_iput(at, more, 1, 1, 1, pe);
  if (!strcmp(how, "nbi")) shmem_long_put_nbi(at, more, 1, pe), shmem_quiet();
  if (!strcmp(how, "signal"))
    shmem_long_put_signal(symmetric, more, 1, (uint64_t*)at, 1, SHMEM_SIGNAL_SET, pe);
  if (!strcmp(how, "every"))
    for (const char* const* each = ways; *each; each++) use(*each, at, pe);
  if (!strcmp(how, "fcollect")) shmem_long_fcollect(SHMEM_TEAM_WORLD, symmetric + 1, at, 1);
  if (!strcmp(how, "broadcast")) shmem_long_broadcast(SHMEM_TEAM_WORLD, at, symmetric, 1, 0);
  return 0;
}

int main(int argc, char** argv) {
  long on_stack = 0;
  if (argc < 3) return 2;
  shmem_init();
  const int pes = shmem_n_pes(), pe = argc > 3 ? atoi(argv[3]) : (shmem_my_pe() + pes - 1) % pes;
  if (!strcmp(argv[1], "peer")) of_a_peer = shmem_ptr(symmetric, pe);
  long* at = memory(argv[1], &on_stack);
  if (!strcmp(argv[1], "maps") && shmem_my_pe() == 0) name_every(argv[2], pes), count_mappings();
  shmem_barrier_all();
  const int by_all = !strcmp(argv[2], "broadcast") || !strcmp(argv[2], "fcollect");
  const long got = shmem_my_pe() == 0 || by_all ? use(argv[2], at, pe) : 0;
  shmem_barrier_all();
  printf("PE %d: done, %ld\n", shmem_my_pe(), got);
  shmem_finalize();
  return 0;
}
