// Puts, gets, atomics, signals and waits reach PEs of other nodes as they reach those next door. No collective
// is used: PEs meet by flags.
// SPDX-License-Identifier: BSD-3-Clause
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { largest = 1 << 20 };
static long greeting, counter, arrived, leave, changes;
static int small_word;
static uint64_t signal_word;
static char target[largest], data[largest], stripes[4096];
static int failed;

#define CHECK(condition, ...)                   \
  do {                                          \
    if (!(condition)) {                         \
      failed = 1;                               \
      printf("PE %d, line %d: ", me, __LINE__); \
      printf(__VA_ARGS__);                      \
      printf("\n");                             \
    }                                           \
  } while (0)

static int me, n, next, before;

// All have come here once more.
static void meet(void) {
  static long round = 0;
  ++round;
  shmem_quiet();
  shmem_long_atomic_inc(&arrived, 0);
  if (me == 0) {
    shmem_long_wait_until(&arrived, SHMEM_CMP_EQ, round * n);
    for (int pe = 0; pe < n; ++pe) shmem_long_atomic_set(&leave, round, pe);
  }
  shmem_long_wait_until(&leave, SHMEM_CMP_GE, round);
}

static void words(void) {
  shmem_long_p(&greeting, me + 1, next);
  shmem_long_wait_until(&greeting, SHMEM_CMP_NE, 0);
  CHECK(greeting == before + 1, "p brought %ld", greeting);
  CHECK(shmem_long_g(&greeting, next) == me + 1, "g does not see what p has put");
  meet();
}

static void blocks(void) {
  memset(data, me + 1, sizeof data);
  char* back = malloc(largest);
  for (size_t bytes = 1; bytes <= largest; bytes *= 2) {
    shmem_putmem(target, data, bytes, next);
    shmem_quiet();
    memset(back, 0, bytes);
    shmem_getmem(back, target, bytes, next);
    CHECK(memcmp(back, data, bytes) == 0, "%zu bytes came back wrong", bytes);
    meet();
    CHECK(target[0] == before + 1 && target[bytes - 1] == before + 1, "%zu bytes did not come whole", bytes);
    meet();
  }
  free(back);
}

static void nonblocking(void) {
  memset(target, 0, sizeof target);
  meet();
  for (size_t i = 0; i < 64; ++i) shmem_putmem_nbi(target + i * 16384, data + i * 16384, 16384, next);
  shmem_quiet();
  meet();
  CHECK(target[0] == before + 1 && target[largest - 1] == before + 1, "nbi puts are not there after quiet");
  long old[8];
  for (int i = 0; i < 8; ++i) shmem_long_atomic_fetch_add_nbi(&old[i], &changes, 1, next);
  shmem_quiet();
  for (int i = 0; i < 8; ++i) CHECK(old[i] == i, "fetch %d found %ld", i, old[i]);
  meet();
}

static void strides(void) {
  long block[32];
  for (int i = 0; i < 32; ++i) block[i] = 100 * me + i;
  shmem_long_iput((long*)stripes, block, 3, 1, 32, next);
  meet();
  for (int i = 0; i < 32; ++i) CHECK(((long*)stripes)[3 * i] == 100 * before + i, "stripe %d is wrong", i);
  CHECK(((long*)stripes)[1] == 0, "what lies between is not left alone");
  long got[32];
  shmem_long_iget(got, (long*)stripes, 1, 3, 32, next);
  CHECK(got[31] == 100 * me + 31, "iget brought %ld", got[31]);
  meet();
}

static void atomics(void) {
  for (int i = 0; i < 300; ++i) shmem_long_atomic_inc(&counter, 0);
  for (int i = 0; i < 20; ++i) shmem_long_atomic_fetch_add(&counter, 5, 0);
  meet();
  if (me == 0) CHECK(counter == 400L * n, "the counter is %ld", counter);
  const int old = shmem_int_atomic_compare_swap(&small_word, 0, me + 1, next);
  CHECK(old == 0, "compare_swap found %d", old);
  CHECK(shmem_int_atomic_swap(&small_word, -1, next) == me + 1, "swap found something else");
  meet();
  CHECK(small_word == -1, "the word is %d", small_word);
}

static void signals(void) {
  const size_t sizes[] = {8, 5000, 50000, largest};
  for (int i = 0; i < 4; ++i) {
    const char mark = (char)(10 + i);
    memset(data, mark, sizes[i]);
    shmem_putmem_signal(target, data, sizes[i], &signal_word, (uint64_t)i + 1, SHMEM_SIGNAL_SET, next);
    shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, (uint64_t)i + 1);
    CHECK(target[0] == mark && target[sizes[i] - 1] == mark, "the signal came before %zu bytes", sizes[i]);
    meet();
  }
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  n = shmem_n_pes();
  next = (me + 1) % n;
  before = (me + n - 1) % n;
  words();
  blocks();
  nonblocking();
  strides();
  atomics();
  signals();
  shmem_finalize();
  return failed;
}
