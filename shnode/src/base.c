/* The number of this PE, the state of the library, its errors, and which memory the system calls symmetric.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "internal.h"

int sn_me, sn_pes;
sn_state_of_library sn_state;
static __thread int last_error;

int shnode_error(void) { return last_error; }

int sn_fail(int code) {
  if (code) last_error = code;
  return code;
}

int sn_ready(void) {
  return sn_state == sn_teamed ? SHNODE_OK : sn_state == sn_begun ? SHNODE_ERR_NO_TEAM : SHNODE_ERR_NO_INIT;
}

const char* shnode_strerror(int code) {
  switch (code) {
    case SHNODE_OK:
      return "no error";
    case SHNODE_ERR_NO_INIT:
      return "shnode_init has not been called";
    case SHNODE_ERR_NO_TEAM:
      return "shnode_create_team has not been called";
    case SHNODE_ERR_AGAIN:
      return "already done: shnode_init and shnode_create_team are called once";
    case SHNODE_ERR_PE:
      return "there is no such PE, or it is not in the set";
    case SHNODE_ERR_UNREGISTERED:
      return "the address is outside every registered object: see shnode_add_data";
    case SHNODE_ERR_NOT_SHARED:
      return "that PE's copy of the object is not visible from here";
    case SHNODE_ERR_ARGUMENT:
      return "an argument is NULL, not symmetric, negative or does not fit the job";
    case SHNODE_ERR_MEMORY:
      return "out of memory: a larger symmetric heap may help";
    case SHNODE_ERR_SETTING:
      return "a SHNODE_ variable has a value that is not understood";
    default:
      return "not an error code of shnode";
  }
}

int sn_is_symmetric(const void* data, size_t bytes) {
  if (!data || !bytes || bytes - 1 > UINTPTR_MAX - (uintptr_t)data) return 0;
  const void* last = (const void*)((uintptr_t)data + (bytes - 1));
  return shmem_addr_accessible(data, sn_me) && shmem_addr_accessible(last, sn_me);
}
