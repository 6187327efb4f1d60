/* Integer sort in the pattern of ISx: each PE counts its keys per bucket, sorts them into buckets, sends each
 * PE its bucket (a fetch-add reserves the place, a put fills it), and counts the keys that it received.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * `isx` is the whole, keys per time, and `isx.exchange` the sending alone; `isx.small` sorts few keys, so
 * that sending and meeting matter. */
#include "kernel.h"

static int shift; /* keys_each is a power of two: the high bits of a key are its owner */
static size_t keys_each, most_received;
static uint32_t *keys, *bucketed, *received, *own_received;
static long* counts; /* how often each key value of this PE's range came */
static long filled;  /* how far `received` is full */
static size_t *begins, *cursors;
static long delivered;

/* Some PEs receive more than others: how much is hardly ever exceeded. */
static size_t most_of(size_t count) { return count + count / 2; }

static int owner_of(uint32_t key) { return (int)(key >> shift); }

static void throw_keys(void) {
  uint64_t state = own_dice();
  for (size_t i = 0; i < keys_each; i++)
    keys[i] = (uint32_t)below(throw_dice(&state), keys_each * (uint64_t)bench.pes);
}

/* begins[pe] to begins[pe + 1] is what goes to that PE. */
static void sort_into_buckets(void) {
  memset(begins, 0, ((size_t)bench.pes + 1) * sizeof *begins);
  for (size_t i = 0; i < keys_each; i++) begins[owner_of(keys[i]) + 1]++;
  for (int pe = 0; pe < bench.pes; pe++) {
    begins[pe + 1] += begins[pe];
    cursors[pe] = begins[pe];
  }
  for (size_t i = 0; i < keys_each; i++) bucketed[cursors[owner_of(keys[i])]++] = keys[i];
}

/* Everybody begins with another PE. */
static void send_buckets(void) {
  for (int i = 0; i < bench.pes; i++) {
    const int pe = (bench.me + i) % bench.pes;
    const size_t count = begins[pe + 1] - begins[pe];
    const long place = shmem_long_atomic_fetch_add(&filled, (long)count, pe);
    if ((size_t)place + count > most_received) shmem_global_exit(1);
    shmem_putmem(&received[place], &bucketed[begins[pe]], count * sizeof *keys, pe);
  }
  shmem_barrier_all();
  delivered = filled;
  filled = 0;
  shmem_barrier_all();
}

static void copy_buckets(void) {
  size_t place = 0;
  for (int pe = 0; pe < bench.pes; pe++) {
    const size_t count = begins[pe + 1] - begins[pe];
    memcpy(&own_received[place], &bucketed[begins[pe]], count * sizeof *keys);
    place += count;
  }
  shmem_barrier_all();
}

static void count_keys(const uint32_t* from, size_t count) {
  memset(counts, 0, keys_each * sizeof *counts);
  for (size_t i = 0; i < count; i++) counts[from[i] & (keys_each - 1)]++;
}

static void sort(const struct measure* m, long calls) {
  (void)m, (void)calls;
  sort_into_buckets();
  send_buckets();
  count_keys(received, (size_t)delivered);
  shmem_barrier_all();
}
static void exchange(const struct measure* m, long calls) {
  (void)m, (void)calls;
  send_buckets();
}
static void sort_own(const struct measure* m, long calls) {
  (void)m, (void)calls;
  sort_into_buckets();
  copy_buckets();
  count_keys(own_received, keys_each);
  shmem_barrier_all();
}
static void exchange_own(const struct measure* m, long calls) {
  (void)m, (void)calls;
  copy_buckets();
}

/* Every key came to its owner and was counted, and none came twice or was made up. */
static int sorted(void) {
  long sum_before = 0, sum_after = 0, count = 0, astray = 0;
  sort(NULL, 1);
  for (size_t i = 0; i < keys_each; i++) sum_before += keys[i];
  for (long i = 0; i < delivered; i++) astray += owner_of(received[i]) != bench.me;
  for (size_t i = 0; i < keys_each; i++) {
    count += counts[i];
    sum_after += counts[i] * (long)(i + keys_each * (size_t)bench.me);
  }
  sum_before = sum_of(sum_before);
  sum_after = sum_of(sum_after);
  return sum_of(count) == (long)keys_each * bench.pes && sum_before == sum_after && astray == 0;
}

static void measure_part(const char* size, const char* part, void (*run)(const struct measure*, long),
                         struct buffer from, struct buffer to) {
  char name[64];
  snprintf(name, sizeof name, "%s%s", size, part);
  measure_kernel_on(name, run, (double)keys_each, from, to);
}

static int measure_sort(const char* name, int bits) {
  const struct buffer none = {NULL, 0, NOBODY};
  shift = bits;
  keys_each = (size_t)1 << bits;
  most_received = most_of(keys_each);
  throw_keys();
  measure_part(name, "", sort, none, none);
  measure_part(name, ".roofline", sort_own, none, none);
  const size_t bytes = keys_each * sizeof *keys;
  const struct buffer from = {bucketed, bytes, EVERYBODY};
  const struct buffer shared = {received, bytes, EVERYBODY}, own = {own_received, bytes, EVERYBODY};
  measure_part(name, ".exchange", exchange, from, shared);
  measure_part(name, ".exchange.roofline", exchange_own, from, own);
  return sorted();
}

int main(int argc, char** argv) {
  bench_begin(argc, argv, 1);
  world_begin(1);
  const int bits = (int)kernel_size(20, 17, 14);
  const size_t most_keys = (size_t)1 << bits;
  received = bench_allocate(most_of(most_keys) * sizeof *received);
  own_received = private_memory(most_of(most_keys) * sizeof *own_received);
  keys = private_memory(most_keys * sizeof *keys);
  bucketed = private_memory(most_keys * sizeof *bucketed);
  counts = private_memory(most_keys * sizeof *counts);
  begins = private_memory(((size_t)bench.pes + 1) * sizeof *begins);
  cursors = private_memory((size_t)bench.pes * sizeof *cursors);
  int right = measure_sort("isx", bits);
  right &= measure_sort("isx.small", 8);
  return kernel_end(right, "isx: the keys are not sorted");
}
