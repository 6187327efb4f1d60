/* Put, get, p, g and the look-up of a peer's address: the system's and shnode's, PE 0 on PE 1's memory.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "rounds.h"

enum { most_bytes = 16 << 20, words = 512 };
static const double round_ns = 2e6;

static char *heap, *mine;
static size_t bytes;
static volatile long sink;

#define OPERATION(name, call)                \
  static void name(long calls) {             \
    while (calls-- > 0) {                    \
      call;                                  \
      __asm__ __volatile__("" ::: "memory"); \
    }                                        \
  }
OPERATION(system_put, shmem_putmem(heap, mine, bytes, 1))
OPERATION(shnode_put, shnode_putmem(heap, mine, bytes, 1))
OPERATION(system_get, shmem_getmem(mine, heap, bytes, 1))
OPERATION(shnode_get, shnode_getmem(mine, heap, bytes, 1))
/* As programs have them: the compiler may keep what it knows from one call to the next. */
#define ELEMENTS(name, call)     \
  static void name(long calls) { \
    while (calls-- > 0) call;    \
  }
ELEMENTS(system_p, shmem_long_p((long*)(void*)heap + calls % words, calls, 1))
ELEMENTS(shnode_p, shnode_long_p((long*)(void*)heap + calls % words, calls, 1))
ELEMENTS(system_g, sink = shmem_long_g((long*)(void*)heap + calls % words, 1))
ELEMENTS(shnode_g, sink = shnode_long_g((long*)(void*)heap + calls % words, 1))
OPERATION(system_look_up, sink = (long)shmem_ptr((long*)(void*)heap + calls % words, 1))
OPERATION(shnode_look_up, sink = (long)shnode_get_member_remote_addr(1, (long*)(void*)heap + calls % words))

/* Each time in another object, so that the inline part does not find it. */
static char* const* strangers;
OPERATION(system_look_up_elsewhere, sink = (long)shmem_ptr(strangers[calls % 8], 1))
OPERATION(shnode_look_up_elsewhere, sink = (long)shnode_get_member_remote_addr(1, strangers[calls % 8]))

static long calls_for(void (*operation)(long)) {
  long calls = 1;
  for (;; calls *= 2) {
    const double begin = now_ns();
    operation(calls);
    if (now_ns() - begin > round_ns / 2) return calls;
  }
}

static double once(void (*operation)(long), long calls) {
  const double begin = now_ns();
  operation(calls);
  shnode_quiet();
  return (now_ns() - begin) / (double)calls;
}

static void compare(const char* what, size_t size, void (*system)(long), void (*shnode)(long)) {
  double theirs[most_rounds], ours[most_rounds];
  const long calls = calls_for(system), more_calls = calls_for(shnode);
  for (int round = 0; round < most_rounds; round++) {
    theirs[round] = once(system, calls);
    ours[round] = once(shnode, more_calls);
  }
  report_pair(what, size, median(theirs, most_rounds), median(ours, most_rounds));
}

static void measure(void) {
  static char* at[8];
  for (int i = 0; i < 8; i++) at[i] = heap + i * 65536 + 8;
  strangers = at;
  for (bytes = 8; bytes <= most_bytes; bytes *= bytes < 4096 ? 2 : 4) {
    compare("put", bytes, system_put, shnode_put);
    compare("get", bytes, system_get, shnode_get);
  }
  compare("long_p", 8, system_p, shnode_p);
  compare("long_g", 8, system_g, shnode_g);
  compare("look_up", 0, system_look_up, shnode_look_up);
  for (int i = 0; i < 8; i++) succeed(shnode_add_object(at[i], 4096));
  compare("look_up_elsewhere", 0, system_look_up_elsewhere, shnode_look_up_elsewhere);
}

int main(void) {
  shmem_init();
  heap = shmem_malloc(most_bytes);
  mine = malloc(most_bytes);
  memset(heap, 1, most_bytes);
  memset(mine, 2, most_bytes);
  succeed(shnode_init());
  succeed(shnode_create_team(heap));
  succeed(shnode_add_object(heap, most_bytes));
  if (shmem_my_pe() == 0) measure();
  shnode_finalize();
  shmem_finalize();
  return 0;
}
