/* Rounds in which PEs wait for each other: locks around a counter that is not atomic, tokens that go around, words for
 * which all wait at once.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "soak.h"

enum { LOCKS = 4 };

static long locks[LOCKS];
static uint64_t counters[LOCKS], counters_model[LOCKS]; /* the one at its home counts */

static void take(long* lock, int by_asking) {
  if (!by_asking) return shmem_set_lock(lock);
  while (shmem_test_lock(lock) != 0) continue;
}

void lock_round(void) {
  const int which = (int)pick(0, LOCKS - 1), home = which % npes, by_asking = one_in(3),
            by_deltas = one_in(2);
  const long times = pick(1, 12);
  for (long i = 0; i < times; ++i) {
    take(&locks[which], by_asking);
    const uint64_t count = shmem_uint64_g(&counters[which], home);
    shmem_uint64_p(&counters[which], count + 1, home);
    if (by_deltas) shmem_quiet(); /* clearing the lock includes one */
    shmem_clear_lock(&locks[which]);
  }
  counters_model[which] += (uint64_t)(times * npes);
  shmem_barrier_all();
  if (me == home)
    CHECK(counters[which] == counters_model[which], "lock %d has guarded %llu additions, not %llu", which,
          (unsigned long long)counters[which], (unsigned long long)counters_model[which]);
  shmem_sync_all();
}

static uint64_t inbox[MOST_PES], goal; /* by sender; every hand-over ends one higher */
static uint64_t letters[MOST_PES][8];

/* A token with a letter goes around `laps` times; who has it sends it on. */
static void pass_token(long laps) {
  const int before = (me + npes - 1) % npes, after = (me + 1) % npes, how = (int)pick(0, 3);
  uint64_t letter[8];
  for (long lap = 1; lap <= laps; ++lap) {
    if (me != 0 || lap > 1) {
      const uint64_t wanted = goal + (uint64_t)(me == 0 ? lap - 1 : lap);
      CHECK(shmem_signal_wait_until(&inbox[before], SHMEM_CMP_GE, wanted) == wanted, "the token of lap %ld",
            lap);
      for (int i = 0; i < 8; ++i)
        CHECK(letters[before][i] == wanted + (uint64_t)i, "word %d of the letter is not of lap %ld", i, lap);
    }
    const uint64_t mine = goal + (uint64_t)lap;
    for (int i = 0; i < 8; ++i) letter[i] = mine + (uint64_t)i;
    switch (how) {
      case 0:
        shmem_uint64_put_signal(letters[me], letter, 8, &inbox[me], mine, SHMEM_SIGNAL_SET, after);
        break;
      case 1:
        shmem_uint64_put_signal_nbi(letters[me], letter, 8, &inbox[me], mine, SHMEM_SIGNAL_SET, after);
        shmem_quiet(); /* the letter is written again */
        break;
      case 2:
        shmem_uint64_put(letters[me], letter, 8, after);
        shmem_fence();
        shmem_uint64_p(&inbox[me], mine, after);
        break;
      default:
        shmem_uint64_put(letters[me], letter, 8, after);
        shmem_fence();
        shmem_uint64_atomic_set(&inbox[me], mine, after);
    }
  }
  /* The last token of all has yet to come home. */
  if (me == 0) shmem_signal_wait_until(&inbox[before], SHMEM_CMP_GE, goal + (uint64_t)laps);
  goal += (uint64_t)laps;
}

static void wait_for_everybody(int how, uint64_t wanted) {
  const size_t count = (size_t)npes;
  size_t found[MOST_PES];
  int known[MOST_PES] = {0};
  uint64_t values[MOST_PES];
  for (int pe = 0; pe < npes; ++pe) values[pe] = wanted;
  if (how == 0) shmem_uint64_wait_until_all(inbox, count, NULL, SHMEM_CMP_EQ, wanted);
  if (how == 1) shmem_uint64_wait_until_all_vector(inbox, count, NULL, SHMEM_CMP_EQ, values);
  for (size_t left = count; how == 2 && left > 0; --left)
    known[shmem_uint64_wait_until_any(inbox, count, known, SHMEM_CMP_GE, wanted)] = 1;
  for (size_t left = count, now; how == 3 && left > 0; left -= now) {
    now = shmem_uint64_wait_until_some(inbox, count, found, known, SHMEM_CMP_NE, wanted - 1);
    for (size_t i = 0; i < now; ++i) known[found[i]] = 1;
  }
  for (int pe = 0; how == 4 && pe < npes; ++pe)
    while (!shmem_uint64_test(&inbox[pe], SHMEM_CMP_EQ, wanted)) continue;
  for (int pe = 0; pe < npes; ++pe)
    CHECK(shmem_uint64_test(&inbox[pe], SHMEM_CMP_EQ, wanted), "PE %d has not been waited for", pe);
}

/* Everybody tells everybody, and waits for all in one of the ways. */
static void tell_all(void) {
  const int how = (int)pick(0, 4), atomically = one_in(2), first = (int)pick(0, npes - 1);
  for (int i = 0; i < npes; ++i) {
    const int pe = (me + first + i) % npes;
    if (atomically)
      shmem_uint64_atomic_set(&inbox[me], goal + 1, pe);
    else
      shmem_uint64_p(&inbox[me], goal + 1, pe);
  }
  wait_for_everybody(how, goal + 1);
  ++goal;
}

/* All words of the inbox stand at the goal when a hand-over begins: this one sets them so. */
static void level(void) {
  for (int pe = 0; pe < npes; ++pe) inbox[pe] = goal;
  shmem_barrier_all();
}

void hand_over_round(void) {
  const int token = one_in(2);
  const long laps = pick(1, 6);
  level();
  if (token)
    pass_token(laps);
  else
    tell_all();
  shmem_barrier_all();
}
