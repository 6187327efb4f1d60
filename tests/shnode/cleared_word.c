/* A word that its reader clears stays clear: a put of a word whose size the compiler does not know stores it once.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <sched.h>
#include <shmem.h>
#include <shnode.h>
#include <stdio.h>
#include <stdlib.h>

enum { rounds = 50000, looks = 40 };

static void await_byte(const volatile char* byte) {
  for (int look = 1; *byte == 0; ++look)
    if (look % 1000 == 0) sched_yield();
}

static int comes_back(volatile char* last, volatile long* word) {
  int back = 0;
  *word = 0;
  for (int look = 0; look < looks && !back; ++look) back = *last != 0;
  return back;
}

/* `factor`: 1, which the compiler does not know. `value` is as long as the longest put that gcc takes for possible. */
static int times_back(char* word, size_t bytes, int factor) {
  static const char value[512] = {1, 1, 1, 1, 1, 1, 1, 1};
  int back = 0;
  for (int round = 0; round < rounds; ++round) {
    *(long*)word = 0;
    shmem_barrier_all();
    if (shmem_my_pe() == 0) shnode_putmem(word, value, bytes * (size_t)factor, 1);
    if (shmem_my_pe() == 1) {
      await_byte(word + bytes - 1);
      back += comes_back(word + bytes - 1, (long*)word);
    }
  }
  shmem_barrier_all();
  return back;
}

int main(int count, char** arguments) {
  (void)arguments;
  shmem_init();
  char* const word = shmem_malloc(64);
  if (shnode_init() || shnode_create_team(word)) shmem_global_exit(2);
  const int wide = times_back(word, 8, count), narrow = times_back(word, 4, count);
  if (shmem_my_pe() == 1) printf("%d words of 8 bytes and %d of 4 came back\n", wide, narrow);
  shnode_finalize();
  shmem_finalize();
  return wide + narrow != 0;
}
