/* Times one family of collectives over sizes, buffers dirtied: what bench/tune_collectives.py runs.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * tune_collectives FAMILY FROM TO      bytes per PE (per block in alltoall), every size four times the last
 *
 * Before each collective its source is rewritten, after it its dest is read, else the lines stay in caches
 * where a real program would not leave them. What writing and reading alone
 * cost is measured too and taken off. Two dests alternate, so that no PE writes into one that is still being
 * read. A broadcast orders nobody behind its readers: it is followed by a sync. "raw" is the least that two
 * PEs can do: flags and copies through shmem_ptr, by no library. One line per size: family, bytes,
 * nanoseconds (median), nanoseconds (best). With 2 PEs of one node the first and the last line are the raw
 * exchange of flags: it shows whether the two shared a cache then. */
#include <shmem.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { batches = 21, syncs = 4 };

static size_t most; /* bytes of source and of one dest */
static char *source, *dests[2];
static volatile uint64_t sink;
static long pes, me;

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

#if SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5
static void everyone_syncs(void) { shmem_team_sync(SHMEM_TEAM_WORLD); }
static void sum(char* dest, size_t bytes) {
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, (long*)dest, (long*)source, bytes / 8);
}
static void broadcast(char* dest, size_t bytes) {
  shmem_broadcastmem(SHMEM_TEAM_WORLD, dest, source, bytes, 0);
}
static void fcollect(char* dest, size_t bytes) { shmem_fcollectmem(SHMEM_TEAM_WORLD, dest, source, bytes); }
static void collect(char* dest, size_t bytes) { shmem_collectmem(SHMEM_TEAM_WORLD, dest, source, bytes); }
static void alltoall(char* dest, size_t bytes) { shmem_alltoallmem(SHMEM_TEAM_WORLD, dest, source, bytes); }
#if SHMEM_MINOR_VERSION >= 6
static void scan(char* dest, size_t bytes) {
  shmem_long_sum_inscan(SHMEM_TEAM_WORLD, (long*)dest, (long*)source, bytes / 8);
}
#define HAS_SCAN 1
#endif
static void set_up(void) {}
#else
static long syncs_of[syncs][SHMEM_REDUCE_SYNC_SIZE + SHMEM_COLLECT_SYNC_SIZE + SHMEM_ALLTOALL_SYNC_SIZE];
static long* work;
static long* psync(void) {
  static int turn;
  return syncs_of[turn++ % syncs];
}
static void set_up(void) {
  for (size_t i = 0; i < sizeof syncs_of / sizeof(long); i++) ((long*)syncs_of)[i] = SHMEM_SYNC_VALUE;
  work = shmem_malloc(most + SHMEM_REDUCE_MIN_WRKDATA_SIZE * sizeof(long));
}
static void everyone_syncs(void) { shmem_sync_all(); }
static void sum(char* dest, size_t bytes) {
  shmem_long_sum_to_all((long*)dest, (long*)source, (int)(bytes / 8), 0, 0, (int)pes, work, psync());
}
static void broadcast(char* dest, size_t bytes) {
  shmem_broadcast64(dest, source, bytes / 8, 0, 0, 0, (int)pes, psync());
}
static void fcollect(char* dest, size_t bytes) {
  shmem_fcollect64(dest, source, bytes / 8, 0, 0, (int)pes, psync());
}
static void collect(char* dest, size_t bytes) {
  shmem_collect64(dest, source, bytes / 8, 0, 0, (int)pes, psync());
}
static void alltoall(char* dest, size_t bytes) {
  shmem_alltoall64(dest, source, bytes / 8, 0, 0, (int)pes, psync());
}
#endif
static void synced_broadcast(char* dest, size_t bytes) {
  broadcast(dest, bytes);
  everyone_syncs();
}
static void barrier(char* dest, size_t bytes) {
  (void)dest, (void)bytes;
  shmem_barrier_all();
}

/* Two processes without a library. Flag and small data share a line. */
struct line {
  _Alignas(128) _Atomic uint64_t flag;
  char data[120];
};
static struct line *lines, *theirs; /* two kinds of two */
static char* their_source;
static uint64_t turns;
static void raw_set_up(void) {
  lines = shmem_align(128, 4 * sizeof *lines);
  memset(lines, 0, 4 * sizeof *lines);
  shmem_barrier_all();
  if (pes != 2) return;
  theirs = shmem_ptr(lines, 1 - (int)me);
  their_source = shmem_ptr(source, 1 - (int)me);
}
static struct line* raw_exchange(int kind, const char* data, size_t bytes) {
  const uint64_t turn = ++turns;
  struct line *to = &theirs[2 * kind + turn % 2], *from = &lines[2 * kind + turn % 2];
  memcpy(to->data, data, bytes);
  atomic_store_explicit(&to->flag, turn, memory_order_release);
  while (atomic_load_explicit(&from->flag, memory_order_acquire) < turn) __builtin_ia32_pause();
  return from;
}
static void raw_flags(char* dest, size_t bytes) {
  (void)dest, (void)bytes;
  raw_exchange(0, source, 0);
}
static void raw_exchange8(char* dest, size_t bytes) {
  const struct line* got = raw_exchange(1, source, 8);
  memcpy(dest, got->data, bytes < 8 ? bytes : 8);
}
/* What the peer wrote last, read from its cache: what each collective must do to at least half of its data.
 */
static void raw_pull(char* dest, size_t bytes) {
  raw_exchange(0, source, 0);
  memcpy(dest, their_source, bytes);
  raw_exchange(0, source, 0);
}

struct family {
  const char* name;
  void (*run)(char* dest, size_t bytes);
  int blocks_in_source, blocks_in_dest; /* 0: one per PE */
};
static const struct family families[] = {
    {"barrier", barrier, 1, 1},     {"reduce", sum, 1, 1},          {"broadcast", synced_broadcast, 1, 1},
    {"fcollect", fcollect, 1, 0},   {"collect", collect, 1, 0},     {"alltoall", alltoall, 0, 0},
#ifdef HAS_SCAN
    {"scan", scan, 1, 1},
#endif
    {"raw_flags", raw_flags, 1, 1}, {"raw_8", raw_exchange8, 1, 1}, {"raw_pull", raw_pull, 1, 1},
};

static void dirty(size_t bytes, long turn) { memset(source, (int)turn, bytes); }
static void look_at(const char* dest, size_t bytes) {
  const uint64_t* words = (const uint64_t*)dest;
  uint64_t total = 0;
  for (size_t i = 0; i < bytes / 8; i++) total += words[i];
  sink += total;
}

static void nothing(char* dest, size_t bytes) { (void)dest, (void)bytes; }

static double batch(void (*run)(char*, size_t), size_t bytes, size_t in, size_t out, long turns_each) {
  everyone_syncs();
  const double begin = now_ns();
  for (long i = 0; i < turns_each; i++) {
    char* dest = dests[i % 2];
    dirty(in, i);
    run(dest, bytes);
    look_at(dest, out);
  }
  return (now_ns() - begin) / (double)turns_each;
}

/* Under a hypervisor the two processors may lie in different caches at different times. */
static void probe_distance(void) {
  if (pes != 2 || !theirs) return; /* on two nodes nothing is shared */
  double least = batch(raw_flags, 8, 0, 0, 2000);
  for (int i = 0; i < 4; i++) {
    const double again = batch(raw_flags, 8, 0, 0, 2000);
    if (again < least) least = again;
  }
  if (me == 0) printf("distance\t8\t%.1f\n", least);
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static long agreed;
static long agree(double guess_ns, double batch_ns) {
  if (me == 0) {
    const long turns_each = 2 + (long)(batch_ns / guess_ns);
    for (int pe = 0; pe < pes; pe++) shmem_long_p(&agreed, turns_each + turns_each % 2, pe);
  }
  shmem_barrier_all();
  return agreed;
}

static void measure(const struct family* family, size_t bytes) {
  const size_t in = bytes * (size_t)(family->blocks_in_source ? 1 : pes);
  const size_t out = bytes * (size_t)(family->blocks_in_dest ? 1 : pes);
  const int bare = !strcmp(family->name, "barrier") || !strcmp(family->name, "raw_flags");
  double with[batches], without[batches];
  batch(family->run, bytes, in, out, 4);
  const long turns_each = agree(batch(family->run, bytes, in, out, 4), bytes > 65536 ? 4e6 : 5e5);
  for (int i = 0; i < batches; i++) {
    with[i] = batch(family->run, bytes, bare ? 0 : in, bare ? 0 : out, turns_each);
    without[i] = batch(nothing, bytes, bare ? 0 : in, bare ? 0 : out, turns_each < 8 ? turns_each : 8);
  }
  qsort(with, batches, sizeof *with, ascending);
  qsort(without, batches, sizeof *without, ascending);
  const double alone = without[batches / 2];
  if (me == 0)
    printf("%s\t%zu\t%.1f\t%.1f\t%.1f\n", family->name, bytes, with[batches / 2] - alone, with[0] - alone,
           alone);
}

int main(int argc, char** argv) {
  shmem_init();
  pes = shmem_n_pes();
  me = shmem_my_pe();
  const char* name = argc > 1 ? argv[1] : "all";
  const size_t from = argc > 2 ? strtoull(argv[2], 0, 0) : 8, to = argc > 3 ? strtoull(argv[3], 0, 0) : 65536;
  most = to * (size_t)pes;
  source = shmem_align(4096, most);
  dests[0] = shmem_align(4096, most);
  dests[1] = shmem_align(4096, most);
  set_up();
  raw_set_up();
  memset(source, 1, most);
  memset(dests[0], 1, most);
  memset(dests[1], 1, most);
  shmem_barrier_all();
  probe_distance();
  for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
    const struct family* family = &families[i];
    if (strcmp(name, "all") ? strcmp(name, family->name) : !strncmp(family->name, "raw", 3)) continue;
    const int flags = !strcmp(family->name, "barrier") || !strcmp(family->name, "raw_flags") ||
                      !strcmp(family->name, "raw_8");
    for (size_t bytes = from; bytes <= (flags ? from : to); bytes *= bytes >= 4 << 20 ? 2
                                                                     : bytes >= 65536 ? 4
                                                                     : bytes == 8     ? 8
                                                                                      : 4)
      measure(family, bytes);
  }
  probe_distance();
  shmem_finalize();
  return 0;
}
