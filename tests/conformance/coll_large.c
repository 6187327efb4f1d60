/* Collectives of sizes around every threshold up to 1 MiB per PE, from heap and globals (9.10).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

enum { LARGEST = 1 << 20 };

static unsigned char *dest, *source;
static int *numbers, *result;

static unsigned char byte(int pe, size_t i) { return (unsigned char)(i * 13 + i / 251 + pe * 59); }

static void prepare(size_t bytes) {
  memset(dest, 0, bytes * npes);
  shmem_barrier_all();
  for (size_t i = 0; i < bytes * npes; ++i) source[i] = byte(me, i);
}

/* Block k of what arrived is what PE k holds from `first` on. */
static void expect(size_t bytes, int blocks, int only_from, size_t first, const char* what) {
  size_t wrong = 0;
  for (int k = 0; k < blocks; ++k)
    for (size_t i = 0; i < bytes; ++i)
      wrong += dest[k * bytes + i] != byte(only_from < 0 ? k : only_from, first + i);
  CHECK(wrong == 0, "%s of %zu bytes: %zu are wrong", what, bytes, wrong);
}

static void move(size_t bytes) {
  prepare(bytes);
  shmem_broadcastmem(SHMEM_TEAM_WORLD, dest, source, bytes, npes - 1);
  expect(bytes, 1, npes - 1, 0, "broadcast");
  prepare(bytes);
  shmem_fcollectmem(SHMEM_TEAM_WORLD, dest, source, bytes);
  expect(bytes, npes, -1, 0, "fcollect");
  prepare(bytes);
  shmem_collectmem(SHMEM_TEAM_WORLD, dest, source, bytes);
  expect(bytes, npes, -1, 0, "collect");
  prepare(bytes);
  shmem_alltoallmem(SHMEM_TEAM_WORLD, dest, source, bytes);
  expect(bytes, npes, -1, me * bytes, "alltoall");
}

/* alltoalls: every second byte of dest, every third of source. */
static void move_apart(size_t bytes) {
  prepare(3 * bytes);
  shmem_uchar_alltoalls(SHMEM_TEAM_WORLD, dest, source, 2, 3, bytes);
  size_t wrong = 0;
  for (int k = 0; k < npes; ++k)
    for (size_t i = 0; i < bytes; ++i) wrong += dest[2 * (k * bytes + i)] != byte(k, 3 * (me * bytes + i));
  CHECK(wrong == 0, "alltoalls of %zu bytes: %zu are wrong", bytes, wrong);
}

static void fill_numbers(size_t n) {
  shmem_barrier_all();
  for (size_t i = 0; i < n; ++i) numbers[i] = (int)(i % 1000) * (me + 1);
}

/* The sum over the first `pes` PEs of what fill_numbers wrote. */
static void expect_sums(const int* got, size_t n, int pes, const char* what) {
  size_t wrong = 0;
  for (size_t i = 0; i < n; ++i) wrong += got[i] != (int)(i % 1000) * (pes * (pes + 1) / 2);
  CHECK(wrong == 0, "%s of %zu ints: %zu are wrong", what, n, wrong);
}

static void compute(size_t n) {
  fill_numbers(n);
  shmem_int_sum_reduce(SHMEM_TEAM_WORLD, result, numbers, n);
  expect_sums(result, n, npes, "sum");
  fill_numbers(n);
  shmem_int_sum_reduce(SHMEM_TEAM_WORLD, numbers, numbers, n);
  expect_sums(numbers, n, npes, "sum in place");
  fill_numbers(n);
  shmem_int_sum_inscan(SHMEM_TEAM_WORLD, result, numbers, n);
  expect_sums(result, n, me + 1, "inscan");
  fill_numbers(n);
  shmem_int_sum_exscan(SHMEM_TEAM_WORLD, numbers, numbers, n);
  expect_sums(numbers, n, me, "exscan in place");
}

int main(void) {
  begin();
  dest = shmem_malloc((size_t)LARGEST * npes);
  source = shmem_malloc((size_t)LARGEST * npes);
  numbers = (int*)source;
  result = (int*)dest;
  CHECK(dest && source, "the heap holds %d MiB", 2 * npes);
  for (size_t bytes = 16; bytes <= LARGEST; bytes *= 2) {
    move(bytes);
    compute(bytes / sizeof(int));
    if (bytes <= LARGEST / 16) move_apart(bytes + 1);
    if (bytes == LARGEST) break;
    move(bytes + 8);
    move(bytes - 1);
    compute(bytes / sizeof(int) + 1);
    compute(bytes / sizeof(int) - 1);
  }
  return end();
}
