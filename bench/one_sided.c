/* Single operations of PE 0 on PE 1's memory, next to the store that they can be at best.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"

enum { elements = 4096, large = 1 << 20 };
static const double patience_ns = 5e7;

static long globals[elements];
static long* heap;
static char *buffer, *source;
static volatile long sink;

static void store_each(void) {
  for (long i = 0; i < elements; i++) ((volatile long*)heap)[i] = i;
}
static void put_each_to_heap(void) {
  for (long i = 0; i < elements; i++) shmem_long_p(&heap[i], i, 1);
}
static void put_each_to_globals(void) {
  for (long i = 0; i < elements; i++) shmem_long_p(&globals[i], i, 1);
}
static void get_each(void) {
  long sum = 0;
  for (long i = 0; i < elements; i++) sum += shmem_long_g(&heap[i], 1);
  sink = sum;
}
static void add_each(void) {
  for (long i = 0; i < elements; i++) sink = shmem_long_atomic_fetch_add(&heap[0], 1, 1);
}
static void put_large(void) {
  shmem_putmem(buffer, source, large, 1);
  shmem_quiet();
}

/* Nanoseconds of one call, repeated until the clock can be trusted; the first call only warms up. */
static double measure(void (*run)(void)) {
  long calls = 0;
  run();
  shmem_quiet();
  const double begin = now_ns();
  double end;
  do {
    run();
    calls++;
    end = now_ns();
  } while (end - begin < patience_ns);
  shmem_quiet();
  return (now_ns() - begin) / (double)calls;
}

int main(void) {
  shmem_init();
  heap = shmem_calloc(elements, sizeof *heap);
  buffer = shmem_calloc(large, 1);
  source = shmem_calloc(large, 1);
  if (shmem_my_pe() == 0) {
    report("a plain store [ns]", measure(store_each) / elements);
    report("long_p to the heap [ns]", measure(put_each_to_heap) / elements);
    report("long_p to globals [ns]", measure(put_each_to_globals) / elements);
    report("long_g [ns]", measure(get_each) / elements);
    report("long_atomic_fetch_add [ns]", measure(add_each) / elements);
    report("putmem of 1 MiB [GB/s]", large / measure(put_large));
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
