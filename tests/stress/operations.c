/* A random mix of all one-sided operations against a model of every PE's memory.
 *
 * In each epoch every segment of every PE's array gets one fate: untouched, written by one PE in one way, or
 * added to by all. All PEs draw the same fates and apply them to their model; each carries out its own part.
 * Untouched segments are read at the same time. After a barrier each PE compares its memory with the model.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "random.h"

enum { WORDS = 48, SEGMENTS = 40, ARRAY = WORDS * SEGMENTS, MOST_PES = 64 };

static long globals[ARRAY];
static long* memory[2]; /* globals and heap: symmetric */
static long* model;     /* [2][npes][ARRAY]: private */
static uint64_t signals[SEGMENTS];
static shmem_ctx_t contexts[2];

typedef struct {
  int which, pe, segment; /* where */
  int writer, kind;       /* by whom, how */
  int first, count;       /* which words of the segment */
  long value;             /* word i gets value + i */
} Fate;

static long* modelled(int which, int pe, int segment) {
  return model + ((size_t)which * npes + pe) * ARRAY + segment * WORDS;
}

static Fate draw_fate(int which, int pe, int segment) {
  Fate fate = {.which = which, .pe = pe, .segment = segment};
  fate.kind = (int)pick(0, 19);
  fate.writer = (int)pick(0, npes - 1);
  fate.first = (int)pick(0, WORDS - 1);
  fate.count = (int)pick(0, WORDS - fate.first);
  fate.value = pick(-1000000, 1000000);
  return fate;
}

enum { UNTOUCHED = 14 }; /* kinds from here on are not written, so that they can be read */

static void write_singly(const Fate* f, long* to, const long* from, shmem_ctx_t ctx) {
  for (int i = 0; i < f->count; ++i) {
    switch (f->kind) {
      case 0:
        shmem_long_p(to + i, from[i], f->pe);
        break;
      case 1:
        shmem_ctx_long_p(ctx, to + i, from[i], f->pe);
        break;
      case 2:
        shmem_long_atomic_set(to + i, from[i], f->pe);
        break;
      case 3:
        (void)shmem_ctx_long_atomic_swap(ctx, to + i, from[i], f->pe);
        break;
      default:
        if (shares(f->pe))
          *((long*)shmem_ptr(to, f->pe) + i) = from[i];
        else
          shmem_long_p(to + i, from[i], f->pe);
    }
  }
}

static void write_at_once(const Fate* f, long* to, const long* from, shmem_ctx_t ctx) {
  const size_t n = (size_t)f->count;
  switch (f->kind) {
    case 5:
      shmem_long_put(to, from, n, f->pe);
      break;
    case 6:
      shmem_putmem(to, from, n * sizeof(long), f->pe);
      break;
    case 7:
      shmem_long_put_nbi(to, from, n, f->pe);
      break;
    case 8:
      shmem_ctx_long_put_nbi(ctx, to, from, n, f->pe);
      break;
    case 9:
      shmem_long_iput(to, from, 1, 1, n, f->pe);
      break;
    case 10:
      shmem_long_ibput(to, from, 1, 1, 1, n, f->pe);
      break;
    case 11:
      shmem_put32(to, from, 2 * n, f->pe);
      break;
    case 12:
      shmem_long_put_signal(to, from, n, signals + f->segment, 1, SHMEM_SIGNAL_ADD, f->pe);
      break;
    default:
      shmem_ctx_long_put_signal_nbi(ctx, to, from, n, signals + f->segment, 1, SHMEM_SIGNAL_ADD, f->pe);
  }
}

/* `source` stays untouched until the epoch's end: nonblocking puts read it late. */
static void write(const Fate* f, long* source) {
  long* to = memory[f->which] + f->segment * WORDS + f->first;
  const shmem_ctx_t ctx = contexts[f->segment % 2];
  for (int i = 0; i < f->count; ++i) source[i] = f->value + i;
  if (f->kind < 5) {
    write_singly(f, to, source, ctx);
  } else {
    write_at_once(f, to, source, ctx);
  }
}

static void apply_to_model(const Fate* f) {
  long* words = modelled(f->which, f->pe, f->segment) + f->first;
  for (int i = 0; i < f->count; ++i) words[i] = f->value + i;
}

static void read(const Fate* f) {
  long got[WORDS] = {0};
  const long* from = memory[f->which] + f->segment * WORDS + f->first;
  const long* wanted = modelled(f->which, f->pe, f->segment) + f->first;
  const size_t n = (size_t)f->count;
  switch (f->kind) {
    case UNTOUCHED:
      shmem_long_get(got, from, n, f->pe);
      break;
    case UNTOUCHED + 1:
      shmem_long_get_nbi(got, from, n, f->pe), shmem_quiet();
      break;
    case UNTOUCHED + 2:
      shmem_long_iget(got, from, 1, 1, n, f->pe);
      break;
    case UNTOUCHED + 3:
      shmem_ctx_getmem(contexts[0], got, from, n * sizeof(long), f->pe);
      break;
    case UNTOUCHED + 4:
      for (size_t i = 0; i < n; ++i) got[i] = shmem_long_g(from + i, f->pe);
      break;
    default:
      for (size_t i = 0; i < n; ++i) got[i] = shmem_long_atomic_fetch(from + i, f->pe);
  }
  CHECK(memcmp(got, wanted, n * sizeof(long)) == 0, "read of kind %d from PE %d, segment %d", f->kind, f->pe,
        f->segment);
}

/* Segment 0 is everybody's counter. */
static void add_to_counters(long epoch) {
  for (int i = 0; i < WORDS; ++i) {
    const int pe = (int)((epoch + i) % npes);
    i % 2 ? shmem_long_atomic_add(memory[1] + i, i, pe)
          : (void)shmem_long_atomic_fetch_add(memory[0] + i, i, pe);
    modelled(i % 2, pe, 0)[i] += (long)i * npes;
  }
}

static void run_epoch(long epoch) {
  static long sources[2][MOST_PES][ARRAY];
  for (int which = 0; which < 2; ++which)
    for (int pe = 0; pe < npes; ++pe)
      for (int segment = 1; segment < SEGMENTS; ++segment) {
        const Fate fate = draw_fate(which, pe, segment);
        if (fate.kind >= UNTOUCHED) {
          read(&fate);
        } else {
          apply_to_model(&fate);
          if (fate.writer == me) write(&fate, &sources[which][pe][segment * WORDS]);
        }
      }
  add_to_counters(epoch);
  shmem_ctx_quiet(contexts[0]);
  shmem_ctx_quiet(contexts[1]);
  shmem_barrier_all();
}

static void compare(long epoch) {
  for (int which = 0; which < 2; ++which)
    for (int segment = 0; segment < SEGMENTS; ++segment) {
      const size_t bytes = WORDS * sizeof(long);
      CHECK(memcmp(memory[which] + segment * WORDS, modelled(which, me, segment), bytes) == 0,
            "epoch %ld: segment %d of the %s differs from the model", epoch, segment,
            which ? "heap" : "globals");
    }
  shmem_sync_all();
}

int main(void) {
  begin();
  const uint64_t seed = share_seed();
  memory[0] = globals;
  memory[1] = shmem_calloc(ARRAY, sizeof(long));
  model = calloc((size_t)2 * npes * ARRAY, sizeof *model);
  for (int i = 0; i < 2; ++i)
    CHECK(shmem_ctx_create(i ? 0 : SHMEM_CTX_SERIALIZED, &contexts[i]) == 0, "context");
  const long epochs = test_rounds(2000 / (npes * npes) + 10);
  for (long epoch = 0; epoch < epochs && check_failures == 0; ++epoch) {
    run_epoch(epoch);
    compare(epoch);
  }
  free(model);
  return end_with_seed(seed);
}
