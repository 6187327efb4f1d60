// Four PEs on two nodes with an endpoint each: PEs 1 and 3 use those of 0 and 2.
// SPDX-License-Identifier: BSD-3-Clause
//
// computing   the owners of the endpoints never call; neither do the others while they wait for what they have sent
// killed      PE 0 is killed while PE 1 reads through its endpoint, for as long as it gets answers
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define REQUIRE(condition) \
  if (!(condition)) return fprintf(stderr, "PE %d: " #condition " is false\n", shmem_my_pe()), 1

enum { owner_bytes = 100000 };
static volatile long ball, over;
static long counter;
static char data[owner_bytes], copy[owner_bytes];

static void compute_until(volatile long* word, long value) {
  while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value) {
  }
}

// The one sends and the other one answers; each looks at its own memory, and calls nothing.
static void play(int first, int peer) {
  for (long turn = 1; turn <= 40; ++turn) {
    if ((turn % 2 != 0) == first)
      shmem_long_p((long*)&ball, turn, peer);
    else
      compute_until(&ball, turn);
  }
}

static int use_everything(int peer) {
  char mine[owner_bytes];
  memset(mine, 'p', sizeof mine);
  for (int round = 0; round < 20; ++round) {
    shmem_putmem(data, mine, sizeof mine, peer);
    shmem_quiet();
    shmem_getmem(copy, data, sizeof copy, peer);
    REQUIRE(memcmp(copy, mine, sizeof mine) == 0);
    REQUIRE(shmem_long_atomic_fetch_add(&counter, 1, peer) == round);
  }
  return 0;
}

static int compute(void) {
  const int me = shmem_my_pe(), is_owner = me % 2 == 0;
  int status = 0;
  shmem_barrier_all();
  if (is_owner) {
    compute_until(&over, 1);
  } else {
    play(me == 1, 4 - me);
    status = use_everything(4 - me);
    shmem_long_p((long*)&over, 1, me - 1);
  }
  shmem_barrier_all();
  return status;
}

static int be_killed(void) {
  shmem_barrier_all();
  if (shmem_my_pe() == 0) {
    usleep(300000);
    kill(getpid(), SIGKILL);
  }
  if (shmem_my_pe() == 1)
    for (;;) shmem_getmem(copy, data, sizeof copy, 3);
  shmem_barrier_all();
  return 0;
}

int main(int argc, char** argv) {
  shmem_init();
  const int status = argc > 1 && strcmp(argv[1], "killed") == 0 ? be_killed() : compute();
  shmem_finalize();
  return status;
}
