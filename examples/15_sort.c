/* A bucket sort: each PE owns a range of keys, all send each key to its owner, owners sort what they got.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * oshcc -O2 15_sort.c -o sort && oshrun -n 4 ./sort
 * Says: sorted ... keys on ... PEs
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

enum { KEYS = 20000, ROOM = 4 * KEYS };
static int received[ROOM];
static size_t count; /* of received keys: senders reserve their places by fetch-add */
static long mine, total;

static int compare(const void* a, const void* b) {
  int x = *(const int*)a, y = *(const int*)b;
  return (x > y) - (x < y);
}

static int owner_of(int key, int n) { return (int)((long)key * n / ((long)RAND_MAX + 1)); }

static void send_keys(const int* keys, int n) {
  int* packed = malloc(KEYS * sizeof *packed);
  for (int owner = 0; owner < n; owner++) {
    size_t length = 0;
    for (int i = 0; i < KEYS; i++)
      if (owner_of(keys[i], n) == owner) packed[length++] = keys[i];
    size_t place = shmem_size_atomic_fetch_add(&count, length, owner);
    if (place + length > ROOM) shmem_global_exit(2);
    shmem_int_put(&received[place], packed, length, owner);
  }
  free(packed);
}

int main(void) {
  static int keys[KEYS];
  shmem_init();
  int me = shmem_my_pe(), n = shmem_n_pes();
  srand((unsigned)me + 1);
  for (int i = 0; i < KEYS; i++) keys[i] = rand();
  send_keys(keys, n);
  shmem_barrier_all();
  qsort(received, count, sizeof *received, compare);

  mine = (long)count;
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &total, &mine, 1);
  int right = total == (long)KEYS * n;
  for (size_t i = 0; i < count; i++) right = right && owner_of(received[i], n) == me;
  for (size_t i = 1; i < count; i++) right = right && received[i - 1] <= received[i];
  if (!right) fprintf(stderr, "PE %d: %zu keys, not sorted\n", me, count);
  if (me == 0 && right) printf("sorted %ld keys on %d PEs\n", total, n);
  shmem_finalize();
  return right ? 0 : 1;
}
