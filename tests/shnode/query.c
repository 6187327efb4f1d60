/* Counts how often shnode asks the system for an address: shmem_ptr of this program is in front of the library's.
 * SPDX-License-Identifier: BSD-3-Clause */
#define ATRIUM_NO_INLINE
#include <pshmem.h>
#include <stdio.h>

#include "check.h"

static int asked;

#undef shmem_ptr
void* shmem_ptr(const void* dest, int pe) {
  asked++;
  return pshmem_ptr(dest, pe);
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
  long *first = shmem_malloc(64), *second = shmem_malloc(64);
  if (shnode_init() || shnode_create_team(first) || shnode_add_object(second, 64)) shmem_global_exit(2);
  asked = 0;
  int wrong = 0;
  for (int i = 0; i < 10; i++) {
    wrong += shnode_get_member_remote_addr(next, first + i % 8) != pshmem_ptr(first + i % 8, next);
    wrong += shnode_get_member_remote_addr(next, second) != pshmem_ptr(second, next);
  }
  const int queries = asked;
  wrong += shnode_get_member_remote_addr(me, second) != second;
  if (me == 0) printf("20 queries asked shmem_ptr %d times\n", queries);
  shnode_finalize();
  shmem_finalize();
  return wrong != 0;
}
