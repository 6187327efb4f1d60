/* shmem_ptr, team_ptr and addr_accessible for the heap, globals, the stack and private memory (9.1.8-10).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

static long global[100];
static long initialised_global = 77;

static void a_direct_pointer_reaches_the_peers_copy(long* mine, const char* what) {
  *mine = me + 1;
  shmem_barrier_all();
  for (int pe = 0; pe < npes; ++pe) {
    const long* theirs = shmem_ptr(mine, pe);
    CHECK((theirs != NULL) == shares(pe), "%s of PE %d has a pointer if it is on my node", what, pe);
    if (theirs) CHECK(*theirs == pe + 1, "%s of PE %d reads %ld", what, pe, *theirs);
    CHECK(shmem_team_ptr(SHMEM_TEAM_WORLD, mine, pe) == theirs, "team_ptr on the world is shmem_ptr");
    CHECK(shmem_addr_accessible(mine, pe) == 1, "%s of PE %d is accessible", what, pe);
  }
  CHECK(shmem_ptr(mine, me) == mine, "my own pointer to %s is the address itself", what);
  shmem_barrier_all();
  long* next = shmem_ptr(mine, right());
  if (next) *next = 1000 + me;
  shmem_barrier_all();
  if (shares(left())) CHECK(*mine == 1000 + left(), "a plain store into %s arrives", what);
  shmem_barrier_all();
}

static void neither(const void* address, const char* what) {
  for (int pe = 0; pe < npes; ++pe) {
    CHECK(shmem_ptr(address, pe) == NULL, "%s has no pointer on PE %d", what, pe);
    CHECK(shmem_addr_accessible(address, pe) == 0, "%s is not accessible on PE %d", what, pe);
  }
}

static void what_is_not_symmetric_has_no_pointer(void) {
  long on_the_stack = 0;
  void *private_memory = malloc(100), *large = malloc(10 << 20);
  neither(&on_the_stack, "the stack");
  neither(private_memory, "malloc'ed memory");
  neither(large, "mmap'ed memory");
  neither(NULL, "the null pointer");
  neither((const void*)&what_is_not_symmetric_has_no_pointer, "code");
  neither("a string constant", "a constant");
  neither(stderr, "the C library's data");
  free(private_memory);
  free(large);
}

static void pes_out_of_range_have_no_pointer(void) {
  CHECK(shmem_ptr(global, -1) == NULL && shmem_ptr(global, npes) == NULL, "PEs out of range");
  CHECK(shmem_addr_accessible(global, npes) == 0 && shmem_addr_accessible(global, -1) == 0,
        "nor are they accessible");
  CHECK(shmem_team_ptr(SHMEM_TEAM_WORLD, global, npes) == NULL, "nor with team_ptr");
  CHECK(shmem_team_ptr(SHMEM_TEAM_INVALID, global, 0) == NULL, "nor on the invalid team");
}

static void team_ptr_counts_in_the_team(void) {
  shmem_team_t team;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, npes - 1, -1, npes, NULL, 0, &team);
  for (int pe = 0; pe < npes; ++pe)
    CHECK(shmem_team_ptr(team, global, pe) == shmem_ptr(global, npes - 1 - pe),
          "member %d of the reversed team", pe);
  shmem_team_destroy(team);
}

/* Every byte of a block, and of a large array, is at the same distance. */
static void pointers_are_linear(void) {
  char* block = shmem_malloc(3 << 20);
  const char* base = shmem_ptr(block, right());
  if (!base) return shmem_free(block);
  for (size_t i = 0; i < 3 << 20; i += 4097) CHECK(shmem_ptr(block + i, right()) == base + i, "at %zu", i);
  CHECK((char*)shmem_ptr(&global[99], right()) - (char*)shmem_ptr(global, right()) == 99 * sizeof(long),
        "globals");
  shmem_free(block);
}

/* No routine of the library is told of such a store: a wait must find it by itself, also asleep. */
static void a_plain_store_ends_a_wait(void) {
  static long word;
  long* there = shmem_ptr(&word, right());
  for (long round = 1; round <= 20; ++round) {
    if (there) __atomic_store_n(there, round, __ATOMIC_RELEASE);
    if (shares(left())) shmem_long_wait_until(&word, SHMEM_CMP_GE, round);
    shmem_barrier_all();
  }
}

int main(void) {
  begin();
  long* block = shmem_malloc(sizeof *block);
  a_direct_pointer_reaches_the_peers_copy(block, "the heap");
  a_direct_pointer_reaches_the_peers_copy(global, "a zeroed global");
  a_direct_pointer_reaches_the_peers_copy(&initialised_global, "an initialised global");
  what_is_not_symmetric_has_no_pointer();
  pes_out_of_range_have_no_pointer();
  team_ptr_counts_in_the_team();
  pointers_are_linear();
  a_plain_store_ends_a_wait();
  shmem_free(block);
  return end();
}
