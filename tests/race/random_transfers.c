/* Random puts, gets, loads and stores of three pages, and whether any two of them race by a plain model: random_transfers SEED.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * All PEs draw the same numbers, so that each knows what all do. Ranges are bytes, lines of caches and sectors of the
 * checker's pages; barriers are the only order. */
#include <shmem.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { page = 4096, size = 3 * page, most_accesses = 40 };
enum kind { put, get, store, load };

struct access {
  enum kind kind;
  int pe, target, epoch;
  long begin, end;
};

static struct access accesses[most_accesses];
static int count;
static char* memory;
static char buffer[size];

static unsigned drawn(unsigned limit) {
  static uint64_t state;
  if (state == 0) state = limit * UINT64_C(977) + 13; /* the first limit is the seed */
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)(state >> 33) % (limit ? limit : 1);
}

static struct access drawn_access(int epoch) {
  static const long grains[] = {1, 64, 512, 512};
  struct access a = {.kind = (enum kind)drawn(4), .pe = (int)drawn((unsigned)shmem_n_pes()), .epoch = epoch};
  a.target = a.kind == put || a.kind == get ? (int)drawn((unsigned)shmem_n_pes()) : a.pe;
  const long grain = grains[drawn(4)];
  a.begin = drawn(size / (unsigned)grain) * grain;
  const long bytes = drawn(4) == 0 ? 8 : (1 + drawn(3000) + grain - 1) / grain * grain;
  a.end = a.begin + bytes < size ? a.begin + bytes : size;
  return a;
}

static void perform(const struct access* a) {
  const size_t bytes = (size_t)(a->end - a->begin);
  char* const at = memory + a->begin;
  if (a->kind == put) shmem_putmem(at, buffer, bytes, a->target);
  if (a->kind == get) shmem_getmem(buffer, at, bytes, a->target);
  if (a->kind == store) memset(at, 1, bytes);
  if (a->kind == load) memcpy(buffer, at, bytes);
}

static bool writes(const struct access* a) { return a->kind == put || a->kind == store; }

/* What a PE does is in order, but that its puts are complete only behind the barrier. */
static bool race(const struct access* earlier, const struct access* later) {
  return earlier->epoch == later->epoch && earlier->target == later->target && earlier->begin < later->end &&
         later->begin < earlier->end && (writes(earlier) || writes(later)) &&
         (earlier->pe != later->pe || earlier->kind == put);
}

static bool any_race(void) {
  for (int i = 0; i < count; i++)
    for (int j = i + 1; j < count; j++)
      if (race(&accesses[i], &accesses[j])) return true;
  return false;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  shmem_init();
  (void)drawn((unsigned)atoi(argv[1]));
  char* const block = shmem_calloc(size + page, 1);
  memory = block + (page - (uintptr_t)block % page) % page;
  shmem_barrier_all();
  const int steps = 4 + (int)drawn(most_accesses - 4);
  for (int step = 0, epoch = 0; step < steps; step++) {
    if (drawn(4) == 0) {
      shmem_barrier_all();
      epoch++;
      continue;
    }
    accesses[count] = drawn_access(epoch);
    if (accesses[count].pe == shmem_my_pe()) perform(&accesses[count]);
    count++;
  }
  if (shmem_my_pe() == 0) puts(any_race() ? "race" : "clean");
  shmem_finalize();
  return 0;
}
