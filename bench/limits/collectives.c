/* Limits of the collectives: `KIND traffic` is the least that all processes together must copy and add, begun
 * by all at one instant; `KIND.by_hand` the same between the flags that it cannot do without.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What the routines promise decides what is least: a broadcast on a team also writes the root's own target, a
 * scan has a result for each process. Every kind is done in the ways that shared memory allows, with the best
 * copy loop for the size: who reads does so out of memory that its owner has just rewritten; who writes into
 * another's memory, into lines that their owner has just read, and until that one could see it. */
#include "../kernels.h"
#include "rounds.h"
#include "waiting.h"

static const size_t sizes[] = {256, KIB, 4 * KIB, 16 * KIB, 64 * KIB, 256 * KIB, MIB, 4 * MIB};
enum { most_bytes = 4 * MIB, most_crowded_bytes = 256 * KIB };

static size_t most; /* bytes of a process's source, and of its target */
static char *sources, *targets;
static copy_kernel kernel;
static struct PaddedFlag* flags; /* two for each process */
static double* agreed;
static long turn;

/* What process 0 has found out. */
static double everybody_knows(double value) {
  if (me == 0) *agreed = value;
  meet(&board->round_barrier, processes);
  value = *agreed;
  meet(&board->round_barrier, processes);
  return value;
}

static char* source_of(int process) { return sources + (size_t)process * most; }
static char* target_of(int process) { return targets + (size_t)process * most; }
static int after(int step) { return (me + step) % processes; }

/* Of a process's slice of an array: where it begins, and its bytes. */
static size_t slice(size_t bytes, size_t* begin) {
  const size_t share = (bytes / (size_t)processes + 63) / 64 * 64;
  *begin = (size_t)me * share < bytes ? (size_t)me * share : bytes;
  return bytes - *begin < share ? bytes - *begin : share;
}

typedef long Words __attribute__((vector_size(32), aligned(8), may_alias));
#define ADD(name, how)                                                                    \
  how static void name(char* result, const char* left, const char* right, size_t bytes) { \
    for (size_t i = 0; i < bytes; i += 2 * sizeof(Words)) {                               \
      const Words *a = (const Words*)(left + i), *b = (const Words*)(right + i);          \
      const Words first = a[0] + b[0], second = a[1] + b[1];                              \
      ((Words*)(result + i))[0] = first, ((Words*)(result + i))[1] = second;              \
    }                                                                                     \
  }
ADD(add_plainly, )
#if defined(__x86_64__)
ADD(add_avx2, __attribute__((target("avx2"))))
#endif
static void (*add)(char* result, const char* left, const char* right, size_t bytes) = add_plainly;

static void until_seen(void) { atomic_thread_fence(memory_order_seq_cst); }

static void broadcast_pull(size_t bytes) { kernel(target_of(me), source_of(0), bytes); }
static void broadcast_put(size_t bytes) {
  if (me != 0) return;
  for (int i = 1; i <= processes; i++) kernel(target_of(after(i)), source_of(0), bytes);
  until_seen();
}

static void gather_pull(size_t bytes) {
  for (int i = 1; i <= processes; i++)
    kernel(target_of(me) + (size_t)after(i) * bytes, source_of(after(i)), bytes);
}
static void gather_put(size_t bytes) {
  for (int i = 1; i <= processes; i++) kernel(target_of(after(i)) + (size_t)me * bytes, source_of(me), bytes);
  until_seen();
}

static void alltoall_pull(size_t bytes) {
  for (int i = 1; i <= processes; i++)
    kernel(target_of(me) + (size_t)after(i) * bytes, source_of(after(i)) + (size_t)me * bytes, bytes);
}
static void alltoall_put(size_t bytes) {
  for (int i = 1; i <= processes; i++)
    kernel(target_of(after(i)) + (size_t)me * bytes, source_of(me) + (size_t)after(i) * bytes, bytes);
  until_seen();
}

/* In pieces that stay in the first-level cache. */
enum { piece_bytes = 8 * KIB };
static char sum[piece_bytes] __attribute__((aligned(64)));

static void each_piece(size_t bytes, void (*work)(size_t first, size_t length)) {
  size_t begin;
  const size_t all = slice(bytes, &begin);
  for (size_t i = 0; i < all; i += piece_bytes)
    work(begin + i, all - i < piece_bytes ? all - i : piece_bytes);
  until_seen();
}

static void add_piece(size_t first, size_t length) {
  char* mine = target_of(me) + first;
  add(mine, source_of(0) + first, source_of(1) + first, length);
  for (int i = 2; i < processes; i++) add(mine, mine, source_of(i) + first, length);
  for (int i = 1; i < processes; i++) kernel(target_of(after(i)) + first, mine, length);
}
static void combine_slices(size_t bytes) { each_piece(bytes, add_piece); }

/* The sum of what comes before, process by process; for others it is made here and then copied. */
static void inscan_piece(size_t first, size_t length) {
  char* before = source_of(0) + first;
  kernel(target_of(0) + first, before, length);
  for (int i = 1; i < processes; i++) {
    char* result = i == me ? target_of(me) + first : sum;
    add(result, before, source_of(i) + first, length);
    if (i != me) kernel(target_of(i) + first, result, length);
    before = result;
  }
}
static void inscan_slices(size_t bytes) { each_piece(bytes, inscan_piece); }
static void exscan_piece(size_t first, size_t length) {
  char* before = source_of(0) + first;
  memset(target_of(0) + first, 0, length);
  for (int i = 1; i < processes; i++, before = sum) {
    kernel(target_of(i) + first, before, length);
    if (i + 1 < processes) add(sum, before, source_of(i) + first, length);
  }
}
static void exscan_slices(size_t bytes) { each_piece(bytes, exscan_piece); }

static void add_up(int last, size_t bytes) {
  if (last <= 0) {
    if (last < 0) memset(target_of(me), 0, bytes);
    if (last == 0) kernel(target_of(me), source_of(0), bytes);
    return;
  }
  add(target_of(me), source_of(0), source_of(1), bytes);
  for (int i = 2; i <= last; i++) add(target_of(me), target_of(me), source_of(i), bytes);
}
static void inscan_pull(size_t bytes) { add_up(me, bytes); }
static void exscan_pull(size_t bytes) { add_up(me - 1, bytes); }

/* Flags, each raised by one process in memory of its own. */
static void set_flag(int kind) {
  atomic_store_explicit(&flags[kind * processes + me].value, turn, memory_order_release);
}
static void await_flags(int kind, int first, int end) {
  for (int i = first; i < end; i++) wait_for(&flags[kind * processes + i].value, turn);
}
static void nothing(void) {}
static void all_meet(int kind) {
  set_flag(kind);
  await_flags(kind, 0, processes);
}
static void all_come(void) { all_meet(0); }
static void all_leave(void) { all_meet(1); }
static void root_comes(void) { me == 0 ? set_flag(0) : await_flags(0, 0, 1); }
static void root_leaves(void) { me == 0 ? await_flags(1, 1, processes) : set_flag(1); }

static const struct Variant {
  const char *kind, *name;
  void (*run)(size_t bytes);
  void (*before)(void), (*afterwards)(void); /* flags that it needs */
  int blocks_in_source, blocks_in_target;    /* 1: one for each process */
} ways[] = {
    {"broadcast", "pull", broadcast_pull, root_comes, root_leaves, 0, 0},
    {"broadcast", "put", broadcast_put, nothing, root_comes, 0, 0},
    {"gather", "pull", gather_pull, all_come, all_leave, 0, 1},
    {"gather", "put", gather_put, nothing, all_leave, 0, 1},
    {"alltoall", "pull", alltoall_pull, all_come, all_leave, 1, 1},
    {"alltoall", "put", alltoall_put, nothing, all_leave, 1, 1},
    {"combine", "slices", combine_slices, all_come, all_leave, 0, 0},
    {"inscan", "slices", inscan_slices, all_come, all_leave, 0, 0},
    {"inscan", "pull", inscan_pull, all_come, all_leave, 0, 0},
    {"exscan", "slices", exscan_slices, all_come, all_leave, 0, 0},
    {"exscan", "pull", exscan_pull, all_come, all_leave, 0, 0},
};
static const struct Variant* variant;

static void by_hand(size_t bytes) {
  turn++;
  variant->before();
  variant->run(bytes);
  variant->afterwards();
}

/* `broadcast traffic [put memcpy]`: the driver settles which way counts when all rounds are over. */
static void report_way(const char* what, const char* copy, size_t bytes, double ns) {
  char name[64];
  snprintf(name, sizeof name, "%s%s [%s%s]", variant->kind, what, variant->name, copy);
  if (me == 0) report(name, bytes, ns, "ns");
}

/* The traffic alone, with each kernel; `kernel` is the one that was best afterwards. */
static void measure_traffic(struct TimedTask* task, const struct TimedKernel* kernels, int count) {
  copy_kernel winner = kernels[0].copy;
  double best = 0;
  for (int i = 0; i < count; i++) {
    char copy[32];
    snprintf(copy, sizeof copy, " %s", kernels[i].name);
    kernel = kernels[i].copy;
    const double ns = everybody_knows(time_rounds(task));
    if (i == 0 || ns < best) best = ns, winner = kernel;
    report_way(" traffic", copy, task->bytes, ns);
  }
  kernel = winner;
}

static void measure_by_hand(struct TimedTask task) {
  task.run = by_hand;
  report_way(".by_hand", "", task.bytes, everybody_knows(time_rounds(&task)));
}

static void measure_ways(const struct TimedKernel* kernels, int count, size_t bytes) {
  for (variant = ways; variant < ways + sizeof ways / sizeof *ways; variant++) {
    const size_t blocks = (size_t)processes, read = variant->blocks_in_source ? bytes * blocks : bytes,
                 written = variant->blocks_in_target ? bytes * blocks : bytes;
    struct TimedTask task = {variant->run, bytes, processes, source_of(me), target_of(me), read, written};
    measure_traffic(&task, kernels, count);
    if (!crowded) measure_by_hand(task);
  }
}

int main(int argc, char** arguments) {
  rounds_begin(read_options(argc, arguments));
  if (processes < 2) return 2;
  if (crowded) quick = 1;
  style = crowded ? giving : restful;
  const size_t largest = crowded ? most_crowded_bytes : most_bytes;
  most = largest * (size_t)processes;
  sources = share(most * (size_t)processes), targets = share(most * (size_t)processes);
  flags = share(2 * sizeof *flags * (size_t)processes), agreed = share(sizeof *agreed);
  struct TimedKernel kernels[most_kernels];
  const int count = copy_kernels(kernels);
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) add = add_avx2;
#endif
  me = multiply(processes);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    if (sizes[i] <= largest) measure_ways(kernels, crowded ? 1 : count, sizes[i]);
  return finish();
}
