/* What goes wrong between two collectives: no barrier in between, late sources, early reuse, overlapping
 * teams (9.10).
 * SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>

#include "check.h"

enum { ROUNDS = 400, BUFFERS = 8, COUNT = 300 };

/* A destination is written at most once between two syncs, as the standard asks; everything else is
 * unsynchronised. */
static long dest[BUFFERS][COUNT * 64], source[COUNT * 64];

static long value(int round, int pe, int i) { return round * 1000003L + pe * 1009L + i; }

static void linger(int round) {
  if ((round * 7 + me * 3) % 29 == 0) usleep(200);
}

/* The source holds rubbish until the last moment and again at once afterwards. */
static void fill(int round, int count) {
  for (int i = 0; i < count; ++i) source[i] = value(round, me, i);
}

static void spoil(int count) {
  for (int i = 0; i < count; ++i) source[i] = -1;
}

static void expect_blocks(const long* got, int round, int n, int first, const char* what) {
  for (int pe = 0; pe < npes; ++pe)
    for (int i = 0; i < n; ++i)
      CHECK(got[pe * n + i] == value(round, pe, first + i), "%s in round %d: element %d from %d", what, round,
            i, pe);
}

static void run_broadcast(int round, long* to, int n) {
  shmem_long_broadcast(SHMEM_TEAM_WORLD, to, source, n, round % npes);
  spoil(n);
  for (int i = 0; i < n; ++i)
    CHECK(to[i] == value(round, round % npes, i), "broadcast in round %d: %d", round, i);
}

static void run_fcollect(int round, long* to, int n) {
  shmem_long_fcollect(SHMEM_TEAM_WORLD, to, source, n);
  spoil(n);
  expect_blocks(to, round, n, 0, "fcollect");
}

static void run_alltoall(int round, long* to, int n) {
  shmem_long_alltoall(SHMEM_TEAM_WORLD, to, source, n);
  spoil(n * npes);
  expect_blocks(to, round, n, me * n, "alltoall");
}

static void run_reduce(int round, long* to, int n) {
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, to, source, n);
  spoil(n);
  for (int i = 0; i < n; ++i) {
    long wanted = 0;
    for (int pe = 0; pe < npes; ++pe) wanted += value(round, pe, i);
    CHECK(to[i] == wanted, "sum in round %d: element %d", round, i);
  }
}

static void run_scan(int round, long* to, int n) {
  shmem_long_sum_exscan(SHMEM_TEAM_WORLD, to, source, n);
  spoil(n);
  for (int i = 0; i < n; ++i) {
    long wanted = 0;
    for (int pe = 0; pe < me; ++pe) wanted += value(round, pe, i);
    CHECK(to[i] == wanted, "exscan in round %d: element %d", round, i);
  }
}

static void run_collect(int round, long* to, int n) {
  const int mine = (me + round) % 3 ? n : 0;
  shmem_long_collect(SHMEM_TEAM_WORLD, to, source, mine);
  spoil(n);
  for (int pe = 0, at = 0; pe < npes; ++pe)
    for (int i = 0; i < ((pe + round) % 3 ? n : 0); ++i, ++at)
      CHECK(to[at] == value(round, pe, i), "collect in round %d: element %d of %d", round, i, pe);
}

typedef void Collective(int round, long* to, int n);
static Collective* const collectives[] = {run_broadcast, run_fcollect, run_alltoall,
                                          run_reduce,    run_scan,     run_collect};
enum { KINDS = 6 };

static void one_kind_back_to_back(Collective* run) {
  for (int round = 0; round < ROUNDS; ++round) {
    const int n = 1 + round * 13 % COUNT;
    if (round % BUFFERS == 0) shmem_team_sync(SHMEM_TEAM_WORLD);
    linger(round);
    fill(round, n * npes);
    run(round, dest[round % BUFFERS], n);
  }
  shmem_barrier_all();
}

static void all_kinds_mixed_back_to_back(void) {
  for (int round = 0; round < ROUNDS * 2; ++round) {
    const int n = 1 + round * 31 % COUNT;
    if (round % BUFFERS == 0) shmem_sync_all();
    linger(round);
    fill(round, n * npes);
    collectives[round * 5 / 3 % KINDS](round, dest[round % BUFFERS], n);
  }
  shmem_barrier_all();
}

/* Sums of more than a message takes, of which nodes write parts to each other: what a member has at its source, and in
 * place at its dest, is written over as soon as the call returns, while others may still be in it. */
static void large_sums_back_to_back(void) {
  static const int counts[] = {COUNT * 64, 2049, 16384, 4099, 17, 16385, 8192};
  for (int round = 0; round < ROUNDS / 4; ++round) {
    const int n = counts[round % 7], in_place = round % 3 == 0;
    long* to = dest[round % BUFFERS];
    if (round % BUFFERS == 0) shmem_sync_all();
    linger(round);
    fill(round, n);
    if (in_place) memcpy(to, source, (size_t)n * sizeof *to);
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, to, in_place ? to : source, n);
    spoil(n);
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
      long wanted = 0;
      for (int pe = 0; pe < npes; ++pe) wanted += value(round, pe, i);
      wrong += to[i] != wanted;
      to[i] = -2;
    }
    CHECK(wrong == 0, "sum of %d in round %d%s: %d wrong", n, round, in_place ? ", in place" : "", wrong);
  }
  shmem_barrier_all();
}

/* Rows and columns of a grid in turn: two teams that share members, neither in step with the other. */
static void overlapping_teams_do_not_disturb_each_other(void) {
  shmem_team_t axis[2];
  static long sum[2][BUFFERS], one[2];
  shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &axis[0], NULL, 0, &axis[1]);
  for (int round = 0; round < ROUNDS; ++round) {
    for (int a = 0; a < 2; ++a) {
      if (round % BUFFERS == 0) shmem_team_sync(axis[a]);
      linger(round + a);
      one[a] = round;
      shmem_long_sum_reduce(axis[a], &sum[a][round % BUFFERS], &one[a], 1);
      CHECK(sum[a][round % BUFFERS] == (long)round * shmem_team_n_pes(axis[a]), "axis %d, round %d", a,
            round);
    }
  }
  shmem_team_destroy(axis[0]);
  shmem_team_destroy(axis[1]);
}

/* A barrier between plain stores through nothing but the routine itself. */
static void barriers_separate_rounds(void) {
  static long seen[64];
  for (long round = 1; round <= ROUNDS * 4; ++round) {
    for (int pe = 0; pe < npes; ++pe) shmem_long_p(seen + me, round, pe);
    shmem_barrier_all();
    for (int pe = 0; pe < npes; ++pe)
      CHECK(seen[pe] == round, "PE %d is at %ld, I at %ld", pe, seen[pe], round);
    shmem_sync_all();
  }
}

int main(void) {
  begin();
  for (int kind = 0; kind < KINDS; ++kind) one_kind_back_to_back(collectives[kind]);
  all_kinds_mixed_back_to_back();
  large_sums_back_to_back();
  overlapping_teams_do_not_disturb_each_other();
  barriers_separate_rounds();
  return end();
}
