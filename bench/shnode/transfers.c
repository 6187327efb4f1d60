/* Put, get, p, g and the look-up of a peer's address, PE 0 on PE 1's memory: by the system, by shnode, and by
 * copies, stores and loads through the address that shmem_ptr answers, which is what the hardware can do. A copy
 * is by memcpy or by the loop that is faster for its size. Nobody else touches the memory meanwhile.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "../kernels.h"
#include "rounds.h"

enum { most_bytes = 16 << 20, words = 512, line_bytes = 64 };
static const double round_ns = 2e6;

static char *heap, *mine, *there; /* symmetric, my own, PE 1's heap as I see it */
static size_t bytes;
static volatile long sink;
static copy_kernel copy;

#define OPERATION(name, call)                \
  static void name(long calls) {             \
    while (calls-- > 0) {                    \
      call;                                  \
      __asm__ __volatile__("" ::: "memory"); \
    }                                        \
  }
OPERATION(system_put, shmem_putmem(heap, mine, bytes, 1))
OPERATION(shnode_put, shnode_putmem(heap, mine, bytes, 1))
OPERATION(pointer_put, copy(there, mine, bytes))
OPERATION(system_get, shmem_getmem(mine, heap, bytes, 1))
OPERATION(shnode_get, shnode_getmem(mine, heap, bytes, 1))
OPERATION(pointer_get, copy(mine, there, bytes))

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

/* What it costs to look whether an address is inside an object at all, where bounds may change from one call to
 * the next: a load must be followed by a fence, behind which compilers read everything anew. */
static struct { uintptr_t begin, bytes, delta; } bounds;
static inline uintptr_t checked(const long* word) {
  if ((uintptr_t)word - bounds.begin >= bounds.bytes) abort();
  return (uintptr_t)word + bounds.delta;
}
static inline long checked_load(const long* word) {
  const long value = *(const long*)checked(word);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  return value;
}
ELEMENTS(checked_p, *(long*)checked(word + i) = calls)
ELEMENTS(checked_g, sink = checked_load(word + i))

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

/* In turns; the medians and the gain. Only the first two ways must be there. */
static void compare(const char* what, size_t size, void (*system)(long), void (*shnode)(long),
                    void (*pointer)(long), void (*checked)(long)) {
  static const char* const names[] = {"system", "shnode", "pointer", "checked"};
  void (*const ways[])(long) = {system, shnode, pointer, checked};
  double ns[4][most_rounds], typical[4];
  long calls[4];
  for (int way = 0; way < 4; way++) calls[way] = ways[way] ? calls_for(ways[way]) : 0;
  for (int round = 0; round < most_rounds; round++)
    for (int way = 0; way < 4; way++)
      if (ways[way]) ns[way][round] = once(ways[way], calls[way]);
  for (int way = 0; way < 4; way++) {
    if (!ways[way]) continue;
    typical[way] = middle(ns[way], most_rounds);
    report(what, names[way], size, typical[way], "ns");
  }
  report(what, "gain", size, typical[0] / typical[1], "times");
}

/* The fastest for this size, or nothing where shmem_ptr has no answer. */
static void (*fastest(void (*operation)(long)))(long) {
  struct TimedKernel kernels[most_kernels];
  copy_kernel best = NULL;
  double best_ns = 0;
  const int count = there ? copy_kernels(kernels) : 0;
  for (int i = 0; i < count; i++) {
    copy = kernels[i].copy;
    const double ns = once(operation, calls_for(operation));
    if (!best || ns < best_ns) best = copy, best_ns = ns;
  }
  copy = best;
  return best ? operation : NULL;
}

static void measure(void) {
  static char* at[8];
  for (int i = 0; i < 8; i++) at[i] = heap + i * 65536 + 8;
  strangers = at;
  for (bytes = 8; bytes <= most_bytes; bytes *= bytes < 4096 ? 2 : 4) {
    compare("put", bytes, system_put, shnode_put, fastest(pointer_put), NULL);
    compare("get", bytes, system_get, shnode_get, fastest(pointer_get), NULL);
  }
  compare("long_p", 8, system_p, shnode_p, there ? pointer_p : NULL, there ? checked_p : NULL);
  compare("long_g", 8, system_g, shnode_g, there ? pointer_g : NULL, there ? checked_g : NULL);
  compare("look_up", 0, system_look_up, shnode_look_up, NULL, NULL);
  for (int i = 0; i < 8; i++) succeed(shnode_add_object(at[i], 4096));
  compare("look_up_elsewhere", 0, system_look_up_elsewhere, shnode_look_up_elsewhere, NULL, NULL);
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
  bounds.begin = (uintptr_t)heap, bounds.bytes = most_bytes,
  bounds.delta = (uintptr_t)there - (uintptr_t)heap;
  if (shmem_my_pe() == 0) measure();
  shnode_finalize();
  shmem_finalize();
  return 0;
}
