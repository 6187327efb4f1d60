/* Locks in a default INTEGER, which C's long does not fit into: the library's narrow ones.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "support.h"

enum { most_pes = 0x7FFE };

/* What libatrium has for this file alone. A zero is a free lock. */
void atrium_narrow_set_lock(uint32_t* lock);
void atrium_narrow_clear_lock(uint32_t* lock);
int atrium_narrow_test_lock(uint32_t* lock);

static void require_few_pes(const char* routine) {
  if (shmem_n_pes() > most_pes)
    atrium_fortran_refuse(routine, "the lock", "is too narrow",
                          "a lock in a default INTEGER serves 32766 PEs",
                          "the locks of `use shmem_f08`, which are 64 bits wide");
}

void atrium_fortran_set_lock(uint32_t* lock) {
  require_few_pes("SHMEM_SET_LOCK");
  atrium_narrow_set_lock(lock);
}

int atrium_fortran_test_lock(uint32_t* lock) {
  require_few_pes("SHMEM_TEST_LOCK");
  return atrium_narrow_test_lock(lock);
}

void atrium_fortran_clear_lock(uint32_t* lock) {
  require_few_pes("SHMEM_CLEAR_LOCK");
  atrium_narrow_clear_lock(lock);
}
