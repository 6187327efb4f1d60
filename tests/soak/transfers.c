/* Rounds of one-sided operations: each range of some blocks has one fate in a round, written by one PE in one way, or
 * read. What fetches must fetch what the model says. Afterwards every PE compares.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "soak.h"

enum { MOST_TARGETS = 4, MOST_RANGES = 5, READS = 18, KINDS = 26 };

/* One range of one PE's copy. */
typedef struct {
  int pe, by, kind;
  uint64_t* to; /* my address of it */
  uint64_t* model;
  size_t count;
  uint64_t value;  /* word i gets mix(value + i) */
  shmem_ctx_t ctx; /* and on it the PE is called: */
  int called;
} Fate;

static uint64_t signals[MOST_PES], signals_model[MOST_PES][MOST_PES]; /* [receiver][sender] */
static uint64_t sources[MOST_TARGETS * MOST_WORDS * MOST_PES]; /* stay as they are until the round's end */
static size_t sources_used;

static int shares(int pe) { return shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, SHMEM_TEAM_SHARED) != -1; }

/* An atomic operation on word i; answers what it must leave there. `x` is the operand. */
static uint64_t change(const Fate* f, size_t i, uint64_t x) {
  uint64_t* word = f->to + i;
  const uint64_t old = f->model[i];
  uint64_t got = old, result = x;
  switch (f->kind) {
    case 0:
      shmem_ctx_uint64_atomic_set(f->ctx, word, x, f->called);
      break;
    case 1:
      got = shmem_ctx_uint64_atomic_swap(f->ctx, word, x, f->called);
      break;
    case 2:
      got = shmem_ctx_uint64_atomic_compare_swap(f->ctx, word, old, x, f->called);
      break;
    case 3:
      got = shmem_ctx_uint64_atomic_fetch_add(f->ctx, word, x, f->called), result = old + x;
      break;
    case 4:
      shmem_ctx_uint64_atomic_add(f->ctx, word, x, f->called), result = old + x;
      break;
    case 5:
      shmem_ctx_uint64_atomic_xor(f->ctx, word, x, f->called), result = old ^ x;
      break;
    case 6:
      got = shmem_ctx_uint64_atomic_fetch_and(f->ctx, word, x, f->called), result = old & x;
      break;
    default:
      shmem_ctx_uint64_atomic_or(f->ctx, word, x, f->called), result = old | x;
      break;
  }
  CHECK(got == old, "kind %d on PE %d fetched %llx, not %llx", f->kind, f->pe, (unsigned long long)got,
        (unsigned long long)old);
  return result;
}

static uint64_t expected_change(int kind, uint64_t old, uint64_t x) {
  switch (kind) {
    case 3:
    case 4:
      return old + x;
    case 5:
      return old ^ x;
    case 6:
      return old & x;
    case 7:
      return old | x;
    default:
      return x;
  }
}

static void store_each(const Fate* f, const uint64_t* from) {
  uint64_t* theirs = f->kind == 8 && shares(f->pe) ? shmem_ptr(f->to, f->pe) : NULL;
  for (size_t i = 0; i < f->count; ++i) {
    if (theirs)
      theirs[i] = from[i];
    else
      shmem_ctx_uint64_p(f->ctx, f->to + i, from[i], f->called);
  }
}

static void store_at_once(const Fate* f, const uint64_t* from) {
  const size_t n = f->count;
  switch (f->kind) {
    case 10:
      shmem_ctx_uint64_put(f->ctx, f->to, from, n, f->called);
      break;
    case 11:
      shmem_ctx_putmem(f->ctx, f->to, from, n * sizeof *from, f->called);
      break;
    case 12:
      shmem_ctx_uint64_put_nbi(f->ctx, f->to, from, n, f->called);
      break;
    case 13:
      shmem_ctx_put32_nbi(f->ctx, f->to, from, 2 * n, f->called);
      break;
    case 14:
      shmem_ctx_uint64_iput(f->ctx, f->to, from, 1, 1, n, f->called);
      break;
    case 15:
      shmem_ctx_uint64_ibput(f->ctx, f->to, from, 1, 1, 1, n, f->called);
      break;
    case 16:
      shmem_ctx_uint64_put_signal(f->ctx, f->to, from, n, &signals[me], 1, SHMEM_SIGNAL_ADD, f->called);
      break;
    default:
      shmem_ctx_putmem_signal_nbi(f->ctx, f->to, from, n * sizeof *from, &signals[me], 1, SHMEM_SIGNAL_ADD,
                                  f->called);
  }
}

static void write_range(const Fate* f) {
  uint64_t* from = sources + sources_used;
  sources_used += f->count;
  for (size_t i = 0; i < f->count; ++i) from[i] = mix(f->value + i);
  if (f->kind < 8)
    for (size_t i = 0; i < f->count; ++i)
      CHECK(change(f, i, from[i]) == expected_change(f->kind, f->model[i], from[i]), "kind %d", f->kind);
  else if (f->kind < 10)
    store_each(f, from);
  else
    store_at_once(f, from);
}

static void read_range(const Fate* f) {
  static uint64_t got[MOST_WORDS];
  const size_t n = f->count;
  memset(got, 0xee, n * sizeof *got);
  switch (f->kind - READS) {
    case 0:
      shmem_ctx_uint64_get(f->ctx, got, f->to, n, f->called);
      break;
    case 1:
      shmem_ctx_uint64_get_nbi(f->ctx, got, f->to, n, f->called), shmem_ctx_quiet(f->ctx);
      break;
    case 2:
      shmem_ctx_uint64_iget(f->ctx, got, f->to, 1, 1, n, f->called);
      break;
    case 3:
      shmem_ctx_getmem(f->ctx, got, f->to, n * sizeof *got, f->called);
      break;
    case 4:
      for (size_t i = 0; i < n; ++i) got[i] = shmem_ctx_uint64_g(f->ctx, f->to + i, f->called);
      break;
    case 5:
      for (size_t i = 0; i < n; ++i) got[i] = shmem_ctx_uint64_atomic_fetch(f->ctx, f->to + i, f->called);
      break;
    case 6:
      for (size_t i = 0; i < n; ++i) shmem_ctx_uint64_atomic_fetch_nbi(f->ctx, got + i, f->to + i, f->called);
      shmem_ctx_quiet(f->ctx);
      break;
    default:
      if (shares(f->pe))
        memcpy(got, shmem_ptr(f->to, f->pe), n * sizeof *got);
      else
        shmem_ctx_get64(f->ctx, got, f->to, n, f->called);
  }
  CHECK(memcmp(got, f->model, n * sizeof *got) == 0, "%zu words read from PE %d by kind %d differ", n, f->pe,
        f->kind);
}

static void apply_to_model(const Fate* f) {
  for (size_t i = 0; i < f->count; ++i)
    f->model[i] = f->kind < 8 ? expected_change(f->kind, f->model[i], mix(f->value + i)) : mix(f->value + i);
  if (f->kind == 16 || f->kind == 17) ++signals_model[f->pe][f->by];
}

static void decide(Block* block, int pe, size_t first, size_t count) {
  Fate f = {.pe = pe, .count = count, .to = block->words + first, .model = block->model[pe] + first};
  f.by = (int)pick(0, npes - 1);
  f.kind = (int)pick(0, KINDS - 1);
  f.value = draw();
  f.ctx = pick_context(f.by, pe, &f.called);
  if (f.by == me && f.kind < READS) write_range(&f);
  if (f.by == me && f.kind >= READS) read_range(&f);
  if (f.kind < READS) apply_to_model(&f);
}

/* Word by word is slow, so most ranges are short. */
static size_t pick_count(size_t rest) {
  const long most = one_in(4) ? (long)rest : (long)(rest < 40 ? rest : 40);
  return (size_t)pick(1, most);
}

static void touch(Block* block, int pe) {
  size_t first = (size_t)pick(0, (long)block->count - 1);
  for (int range = 0; range < MOST_RANGES && first < block->count; ++range) {
    const size_t count = pick_count(block->count - first);
    if (!one_in(3)) decide(block, pe, first, count);
    first += count;
  }
}

static void compare_signals(void) {
  for (int pe = 0; pe < npes; ++pe)
    CHECK(shmem_signal_fetch(&signals[pe]) == signals_model[me][pe], "PE %d has sent %llu signals, not %llu",
          pe, (unsigned long long)signals[pe], (unsigned long long)signals_model[me][pe]);
}

void transfer_round(void) {
  const int targets = (int)pick(1, MOST_TARGETS);
  int touched[MOST_TARGETS];
  sources_used = 0;
  for (int i = 0; i < targets; ++i) {
    touched[i] = pick_block();
    for (int k = 0; k < i; ++k)
      if (touched[k] == touched[i]) touched[i] = -1;
    for (int pe = 0; pe < npes && touched[i] >= 0; ++pe) touch(&blocks[touched[i]], pe);
    if (touched[i] < 0) touched[i] = touched[0];
  }
  quiet_all_contexts();
  if (one_in(2)) {
    shmem_barrier_all();
  } else {
    shmem_quiet();
    shmem_sync_all();
  }
  for (int i = 0; i < targets; ++i) compare_block(touched[i], "after transfers");
  compare_signals();
  shmem_sync_all();
}
