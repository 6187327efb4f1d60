/* How one PE signals another: words and signals thrown to and fro, and what ordering and looking cost.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Ping-pongs are one way, half of there and back between PE 0 and PE 1. Those that carry data rewrite it
 * before each throw and read it after each catch, inside of the timed part: that the receiver has it is the
 * point. */
#include "measure.h"

enum { most_bytes = MIB };

/* What the peer writes lies apart from what I read meanwhile, as in the limits. */
static _Alignas(128) struct {
  long ball, throws; /* `throws` counts alike on both sides, over all rounds */
  _Alignas(128) uint64_t signal;
  _Alignas(128) char* data[2];
} court;

/* One throw each way a call: PE 0 begins. */
#define PING_PONG(name, throw_it, catch_it)                                                            \
  static void name(const struct measure* m, long calls) {                                              \
    const int peer = 1 - bench.me;                                                                     \
    struct buffer out = {court.data[0], m->bytes, bench.me}, in = {court.data[1], m->bytes, bench.me}; \
    (void)out, (void)in;                                                                               \
    while (calls-- > 0) {                                                                              \
      court.throws++;                                                                                  \
      if (bench.me == 0) throw_it;                                                                     \
      catch_it;                                                                                        \
      if (bench.me == 1) throw_it;                                                                     \
    }                                                                                                  \
  }

static void throw_word(int peer) { shmem_long_p(&court.ball, court.throws, peer); }
static void catch_word(void) { shmem_long_wait_until(&court.ball, SHMEM_CMP_GE, court.throws); }
PING_PONG(p_wait, throw_word(peer), catch_word())

static void throw_put(const struct buffer* out, int peer) {
  bench_rewrite(out);
  shmem_putmem(court.data[1], out->start, out->bytes, peer);
  shmem_fence();
  throw_word(peer);
}
static void catch_put(const struct buffer* in) {
  catch_word();
  bench_read(in);
}
PING_PONG(put_fence_p, throw_put(&out, peer), catch_put(&in))

#if SINCE(1, 5)
static void throw_signal(const struct buffer* out, int peer) {
  bench_rewrite(out);
  shmem_putmem_signal(court.data[1], out->start, out->bytes, &court.signal, (uint64_t)court.throws,
                      SHMEM_SIGNAL_SET, peer);
}
static void catch_signal(const struct buffer* in) {
  shmem_signal_wait_until(&court.signal, SHMEM_CMP_GE, (uint64_t)court.throws);
  bench_read(in);
}
PING_PONG(put_signal, throw_signal(&out, peer), catch_signal(&in))
#endif

#define ALONE(name, work)                                 \
  static void name(const struct measure* m, long calls) { \
    (void)m;                                              \
    unsigned long sum = 0;                                \
    for (long i = 0; i < calls; i++) work;                \
    bench_sink = sum;                                     \
  }
ALONE(fence, shmem_fence())
ALONE(quiet, shmem_quiet())
ALONE(ptr, sum += (unsigned long)shmem_ptr(court.data[0] + 8 * (i % 512), 1))
ALONE(wait_satisfied, shmem_long_wait_until(&court.ball, SHMEM_CMP_GE, 0))
ALONE(test, sum += (unsigned long)shmem_long_test(&court.ball, SHMEM_CMP_GE, 0))

static void measure_alone(const char* name, void (*run)(const struct measure*, long)) {
  bench_measure(&(struct measure){.name = name, .unit = "ns", .run = run, .actors = 1});
}

static void measure_ping_pong(const char* name, void (*run)(const struct measure*, long), size_t bytes) {
  bench_measure(
      &(struct measure){.name = name, .unit = "ns", .bytes = bytes, .run = run, .actors = 2, .steps = 2});
}

int main(int argc, char** argv) {
  static const size_t sizes[] = {8, 64, KIB, 4 * KIB, 64 * KIB, most_bytes};
  bench_begin(argc, argv, 2);
  for (int i = 0; i < 2; i++) court.data[i] = bench_allocate(most_bytes);
  measure_alone("fence", fence);
  measure_alone("quiet", quiet);
  measure_alone("ptr", ptr);
  measure_alone("wait_until.satisfied", wait_satisfied);
  measure_alone("test.satisfied", test);
  measure_ping_pong("p_wait_until", p_wait, 8);
  for (size_t i = 0; i < LENGTH(sizes); i++) {
    measure_ping_pong("put_fence_p", put_fence_p, sizes[i]);
#if SINCE(1, 5)
    measure_ping_pong("put_signal", put_signal, sizes[i]);
#endif
  }
  shmem_finalize();
  return 0;
}
