// Two PEs that say confidential things to each other while somebody else is at their ports. What reaches a PE is what the other one
// has sent, or nothing.
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: besieged SECONDS
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { large = 1 << 16 };

static long number;                     // of rounds, put by the other
static char text[64];                   // likewise
static uint64_t large_data[large / 8];  // likewise, by the network's own write

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void complain(const char* what, unsigned long value) {
  printf("PE %d found %#lx in %s\n", shmem_my_pe(), value, what);
  fflush(stdout);
  _exit(1);
}

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? atof(argv[1]) : 3;
  shmem_init();
  const int me = shmem_my_pe(), other = 1 - me;
  static uint64_t mine[large / 8], fetched[large / 8];
  static const char confidential[64] = "this is confidential";
  const double start = now();
  static long goes_on = 1;
  long round = 0;
  while (shmem_long_g(&goes_on, 0)) {
    ++round;
    shmem_long_p(&number, round, other);
    shmem_putmem(text, confidential, sizeof text, other);
    for (int i = 0; i < large / 8; ++i) mine[i] = (uint64_t)round;
    if (round % 8 == 1) shmem_putmem(large_data, mine, large, other);
    while (!shmem_long_test(&number, SHMEM_CMP_EQ, round)) {
      const long found = shmem_long_atomic_fetch(&number, me);
      if (found != round - 1 && found != round) complain("its number", (unsigned long)found);
    }
    shmem_barrier_all();
    if (number != round) complain("its number", (unsigned long)number);
    if (memcmp(text, confidential, sizeof text) != 0) complain("its text", 0);
    if (round % 8 == 1) {
      for (int i = 0; i < large / 8; ++i)
        if (large_data[i] != (uint64_t)round) complain("its large data", large_data[i]);
      shmem_getmem(fetched, large_data, large, other);
      for (int i = 0; i < large / 8; ++i)
        if (fetched[i] != (uint64_t)round) complain("what it read", fetched[i]);
    }
    shmem_barrier_all();
    usleep(1000);
    if (me == 0 && now() - start > seconds) goes_on = 0;
    shmem_barrier_all();
  }
  printf("PE %d: %ld rounds, all right\n", me, round);
  shmem_finalize();
  return 0;
}
