/* Put, get, p, g and the look-up of a peer's address, PE 0 on PE 1's memory: by the system, by shnode, and by
 * memcpy, stores and loads through the address that shmem_ptr answers, which is what the hardware can do.
 * Nobody else touches the memory meanwhile.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "rounds.h"

enum { most_bytes = 16 << 20, words = 512, line_bytes = 64 };
static const double round_ns = 2e6;

static char *heap, *mine, *there; /* symmetric, my own, PE 1's heap as I see it */
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
OPERATION(pointer_put, memcpy(there, mine, bytes))
OPERATION(system_get, shmem_getmem(mine, heap, bytes, 1))
OPERATION(shnode_get, shnode_getmem(mine, heap, bytes, 1))
OPERATION(pointer_get, memcpy(mine, there, bytes))

/* As programs have them: the compiler may keep what it knows from one call to the next. Eight in a row, since
 * on some processors a loop takes 4 cycles a turn, whatever is in it, when it fills more than a cache line.
 */
#define ELEMENTS(name, call)                                                       \
  static void name(long calls) {                                                   \
    for (; calls > 0; calls -= 8) {                                                \
      const long first = calls % words;                                            \
      long *word = (long*)(void*)heap + first, *its = (long*)(void*)there + first; \
      (void)word, (void)its;                                                       \
      for (int i = 0; i < 8; i++) call;                                            \
    }                                                                              \
  }
ELEMENTS(system_p, shmem_long_p(word + i, calls, 1))
ELEMENTS(shnode_p, shnode_long_p(word + i, calls, 1))
ELEMENTS(pointer_p, *(volatile long*)(its + i) = calls)
ELEMENTS(system_g, sink = shmem_long_g(word + i, 1))
ELEMENTS(shnode_g, sink = shnode_long_g(word + i, 1))
ELEMENTS(pointer_g, sink = *(volatile long*)(its + i))
ELEMENTS(system_look_up, sink = (long)shmem_ptr(word + i, 1))
ELEMENTS(shnode_look_up, sink = (long)shnode_get_member_remote_addr(1, word + i))

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

/* In turns; the medians and the gain. There may be no third way. */
static void compare(const char* what, size_t size, void (*system)(long), void (*shnode)(long),
                    void (*pointer)(long)) {
  static const char* const names[] = {"system", "shnode", "pointer"};
  void (*const ways[])(long) = {system, shnode, pointer};
  double ns[3][most_rounds], typical[3];
  long calls[3];
  const int count = pointer ? 3 : 2;
  for (int way = 0; way < count; way++) calls[way] = calls_for(ways[way]);
  for (int round = 0; round < most_rounds; round++)
    for (int way = 0; way < count; way++) ns[way][round] = once(ways[way], calls[way]);
  for (int way = 0; way < count; way++) {
    typical[way] = middle(ns[way], most_rounds);
    report(what, names[way], size, typical[way], "ns");
  }
  report(what, "gain", size, typical[0] / typical[1], "times");
}

static void measure(void) {
  static char* at[8];
  for (int i = 0; i < 8; i++) at[i] = heap + i * 65536 + 8;
  strangers = at;
  for (bytes = 8; bytes <= most_bytes; bytes *= bytes < 4096 ? 2 : 4) {
    compare("put", bytes, system_put, shnode_put, there ? pointer_put : NULL);
    compare("get", bytes, system_get, shnode_get, there ? pointer_get : NULL);
  }
  compare("long_p", 8, system_p, shnode_p, there ? pointer_p : NULL);
  compare("long_g", 8, system_g, shnode_g, there ? pointer_g : NULL);
  compare("look_up", 0, system_look_up, shnode_look_up, NULL);
  for (int i = 0; i < 8; i++) succeed(shnode_add_object(at[i], 4096));
  compare("look_up_elsewhere", 0, system_look_up_elsewhere, shnode_look_up_elsewhere, NULL);
}

/* From the beginning of a cache line on. */
static char* aligned(char* memory) {
  return memory + (line_bytes - (uintptr_t)memory % line_bytes) % line_bytes;
}

int main(void) {
  shmem_init();
  heap = aligned(shmem_malloc(most_bytes + line_bytes));
  mine = aligned(malloc(most_bytes + line_bytes));
  memset(heap, 1, most_bytes);
  memset(mine, 2, most_bytes);
  succeed(shnode_init());
  succeed(shnode_create_team(heap));
  succeed(shnode_add_object(heap, most_bytes));
  there = shmem_ptr(heap, 1);
  if (shmem_my_pe() == 0) measure();
  shnode_finalize();
  shmem_finalize();
  return 0;
}
