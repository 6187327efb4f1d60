/* What the limit programs share: processes that see the same memory, pinned to a CPU each, a clock, and one
 * line per figure.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_LIMIT_H
#define BENCH_LIMIT_H

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../clock.h"

enum { KIB = 1 << 10, MIB = 1 << 20 };
enum { pair_bytes = 128, huge_bytes = 2 * MIB, max_batches = 64 };

/* The command line: PES [--quick]. */
struct LimitOptions {
  int processes;
  int quick;
};

static inline struct LimitOptions read_options(int count, char** words) {
  struct LimitOptions options = {2, 0};
  for (int i = 1; i < count; i++)
    if (strcmp(words[i], "--quick") == 0)
      options.quick = 1;
    else
      options.processes = atoi(words[i]);
  if (options.processes < 1) exit(2);
  return options;
}

static inline void relax(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("isb");
#endif
}

static inline void keep(void* memory) { __asm__ __volatile__("" : : "r"(memory) : "memory"); }

static inline int usable_cpus(void) {
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  return CPU_COUNT(&set);
}

/* To the number-th usable CPU, around and around. Requires: not pinned before. */
static inline void pin(int number) {
  cpu_set_t all, one;
  sched_getaffinity(0, sizeof all, &all);
  number %= CPU_COUNT(&all);
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET(cpu, &all) && number-- == 0) {
      CPU_ZERO(&one);
      CPU_SET(cpu, &one);
      sched_setaffinity(0, sizeof one, &one);
      return;
    }
}

enum { collapse = 25 }; /* MADV_COLLAPSE, unknown to older headers */

/* Memory at a multiple of 2 MiB, not touched. Shared with children of a fork through a memfd: the kernel
 * joins the small pages of one into large ones, those of anonymous shared memory it does not. */
static inline char* reserve(size_t bytes, int shared) {
  const size_t size = (bytes + huge_bytes - 1) / huge_bytes * huge_bytes;
  char* raw = mmap(NULL, size + huge_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) exit(3);
  char* memory = raw + (-(uintptr_t)raw) % huge_bytes;
  if (!shared) return memory;
  const int file = memfd_create("limit", 0);
  if (file < 0 || ftruncate(file, (off_t)size) != 0) exit(3);
  memory = mmap(memory, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
  close(file);
  if (memory == MAP_FAILED) exit(3);
  return memory;
}

/* Asks for 2 MiB pages for all whole ones of it, a page of each being touched first; whether that was
 * granted. */
static inline int enlarge_pages(char* memory, size_t bytes) {
  const size_t whole = bytes / huge_bytes * huge_bytes;
  madvise(memory, whole, MADV_HUGEPAGE);
  for (size_t i = 0; i < whole; i += huge_bytes) ((volatile char*)memory)[i] = 0;
  return whole > 0 && madvise(memory, whole, collapse) == 0;
}

/* Zeroed and touched, in large pages if there are any. */
static inline void* allocate(size_t bytes, int shared) {
  char* memory = reserve(bytes, shared);
  enlarge_pages(memory, bytes);
  return memset(memory, 0, bytes);
}
static inline void* share(size_t bytes) { return allocate(bytes, 1); }

/* How often a process looks before it makes way: at once where there are more processes than CPUs. */
static int patience;

/* Becomes so many processes, each pinned; answers which one this is. */
static inline int multiply(int processes) {
  int me = 0;
  patience = processes > usable_cpus() ? 0 : 10000;
  fflush(stdout);
  while (me + 1 < processes) {
    const pid_t child = fork();
    if (child < 0) exit(3);
    if (child > 0) break;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* who waits for a process that was ended would spin for ever */
    me++;
  }
  pin(me);
  return me;
}

/* Each waits for its child, so that process 0 ends last. */
static inline int finish(void) {
  int status = 0;
  fflush(stdout);
  while (wait(&status) > 0)
    if (status != 0) exit(1);
  return 0;
}

static inline void report(const char* measure, size_t bytes, double value, const char* unit) {
  printf("%s\t%zu\t%.5g\t%s\n", measure, bytes, value, unit);
}

/* A flag that has its own pair of cache lines: some processors fetch lines by twos. */
struct PaddedFlag {
  _Alignas(pair_bytes) atomic_long value;
};

/* Where all processes meet outside of what is timed. */
struct RoundBarrier {
  struct PaddedFlag arrived, round;
};

static inline void meet(struct RoundBarrier* round_barrier, int processes) {
  const long round = atomic_load(&round_barrier->round.value);
  if (atomic_fetch_add(&round_barrier->arrived.value, 1) == processes - 1) {
    atomic_store(&round_barrier->arrived.value, 0);
    atomic_store(&round_barrier->round.value, round + 1);
    return;
  }
  for (long tries = 0; atomic_load(&round_barrier->round.value) == round; tries++)
    if (tries < patience)
      relax();
    else
      sched_yield();
}

#endif
