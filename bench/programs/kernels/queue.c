/* Queues of many producers and many consumers: each consumer owns a ring of slots; a producer takes a ticket
 * by fetch-add and puts its item into the slot of that number, once it knows that the consumer has emptied
 * it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The first half of the PEs produce, the others consume. An item is one word, not zero, so that it is its own
 * signal. Everybody waits on memory of its own: producers for `emptied`, which consumers write to them now
 * and then. The roofline is the same queue by the processor's own atomics through shmem_ptr: what two
 * processes can hand over at all. */

#include "kernel.h"

enum { slots = 1024, announce_every = slots / 4, most_consumers = 512 };

static struct {
  _Alignas(128) unsigned long tail;                    /* the next ticket of my ring */
  _Alignas(128) unsigned long ring[slots];             /* 0 is an empty slot */
  _Alignas(128) unsigned long emptied[most_consumers]; /* how many slots each consumer has emptied so far, as
                                                          it told me */
} shared;

static int producers, consumers;
static unsigned long items;       /* of each producer for each consumer in a call */
static unsigned long popped;      /* from my ring, over all calls */
static unsigned long made, taken; /* sums of the items */

static void push(unsigned long item, int consumer) {
  const int pe = producers + consumer;
  const unsigned long ticket = shmem_ulong_atomic_fetch_inc(&shared.tail, pe);
  if (ticket >= slots) shmem_ulong_wait_until(&shared.emptied[consumer], SHMEM_CMP_GT, ticket - slots);
  shmem_ulong_atomic_set(&shared.ring[ticket % slots], item, pe);
}

static unsigned long pop(void) {
  unsigned long* slot = &shared.ring[popped++ % slots];
  shmem_ulong_wait_until(slot, SHMEM_CMP_NE, 0);
  const unsigned long item = *slot;
  *slot = 0;
  return item;
}

/* The quiet holds the words back until the slots are empty. */
static void announce(void) {
  shmem_quiet();
  for (int pe = 0; pe < producers; pe++) shmem_ulong_p(&shared.emptied[bench.me - producers], popped, pe);
}

static unsigned long* there(unsigned long* word, int pe) { return shmem_ptr(word, pe); }

/* A peer that has no CPU of its own gets this one. */
static unsigned long wait_by_hand(const unsigned long* word, unsigned long below_this) {
  unsigned long value;
  for (int tries = 1; (value = __atomic_load_n(word, __ATOMIC_ACQUIRE)) < below_this; tries++)
    if (tries % 1024 == 0) sched_yield();
  return value;
}

static void push_by_hand(unsigned long item, int consumer) {
  const int pe = producers + consumer;
  const unsigned long ticket = __atomic_fetch_add(there(&shared.tail, pe), 1, __ATOMIC_RELAXED);
  if (ticket >= slots) wait_by_hand(&shared.emptied[consumer], ticket - slots + 1);
  __atomic_store_n(there(&shared.ring[ticket % slots], pe), item, __ATOMIC_RELEASE);
}

static unsigned long pop_by_hand(void) {
  unsigned long* slot = &shared.ring[popped++ % slots];
  const unsigned long item = wait_by_hand(slot, 1);
  *slot = 0;
  return item;
}

static void announce_by_hand(void) {
  for (int pe = 0; pe < producers; pe++)
    __atomic_store_n(there(&shared.emptied[bench.me - producers], pe), popped, __ATOMIC_RELEASE);
}

#define WORK(name, push, pop, announce)                                                              \
  static void name(const struct measure* m, long calls) {                                            \
    (void)m, (void)calls;                                                                            \
    for (unsigned long i = 1; bench.me < producers && i <= items; i++)                               \
      for (int consumer = 0; consumer < consumers; consumer++, made += i) push(i, consumer);         \
    for (unsigned long i = 1; bench.me >= producers && i <= items * (unsigned long)producers; i++) { \
      taken += pop();                                                                                \
      if (popped % announce_every == 0) announce();                                                  \
    }                                                                                                \
    shmem_barrier_all();                                                                             \
  }
WORK(hand_over, push, pop, announce)
WORK(hand_over_by_hand, push_by_hand, pop_by_hand, announce_by_hand)

int main(int argc, char** argv) {
  bench_begin(argc, argv, 2);
  world_begin(1);
  producers = bench.pes / 2;
  consumers = bench.pes - producers;
  if (consumers > most_consumers) shmem_global_exit(1);
  items = (bench.quick ? 1 << 14 : 1 << 17) / (unsigned)consumers;
  const double handed_over_each = (double)items * producers * consumers / bench.pes;
  measure_kernel("queue", hand_over, handed_over_each);
  if (shmem_ptr(&shared, 0) != NULL && shmem_ptr(&shared, bench.pes - 1) != NULL)
    measure_kernel("queue.roofline", hand_over_by_hand, handed_over_each);
  const long sum_made = sum_of((long)made);
  return kernel_end(sum_made == sum_of((long)taken), "queue: what came out is not what went in");
}
