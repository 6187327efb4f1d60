/* Bytes from here to there: by a copy where the memory is visible, else by the system.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "internal.h"

static int puts_pending; /* of sn_push, in the system's hands */

void sn_pull(void* to, const void* symmetric, size_t bytes, int pe) {
  const char* view = sn_view(symmetric, bytes, pe);
  if (!bytes || view == to) return;
  if (view)
    memcpy(to, view, bytes);
  else
    shmem_getmem(to, symmetric, bytes, pe);
}

void sn_push(void* symmetric, const void* from, size_t bytes, int pe) {
  char* view = sn_view(symmetric, bytes, pe);
  if (!bytes || view == from) return;
  if (view) {
    memcpy(view, from, bytes);
  } else {
    shmem_putmem(symmetric, from, bytes, pe);
    puts_pending = 1;
  }
}

void sn_complete(void) {
  if (puts_pending) shmem_quiet();
  puts_pending = 0;
}

static void* scratch;
static size_t scratch_bytes;

void* sn_scratch(size_t bytes) {
  if (bytes <= scratch_bytes) return scratch;
  void* larger = realloc(scratch, bytes);
  if (!larger) return NULL;
  scratch_bytes = bytes;
  return scratch = larger;
}

void sn_free_scratch(void) {
  free(scratch);
  scratch = NULL;
  scratch_bytes = 0;
}

/* ---- What the inline puts and gets of shnode.h leave over: errors, the first use of an object, the system
 * ---- */

static int look_up(const void* data, size_t bytes, int pe, const shnode_object** found) {
  const int status = sn_ready();
  if (status) return status;
  if (pe < 0 || pe >= sn_pes) return SHNODE_ERR_PE;
  *found = sn_object_at(data, bytes);
  if (!*found) return SHNODE_ERR_UNREGISTERED;
  if (sn_stores_suffice() && sn_set.direct_limit >= SHNODE_SMALL)
    __atomic_store_n(&shnode_last_transferred, *found, __ATOMIC_RELAXED);
  return SHNODE_OK;
}

/* Is this one for a copy? */
static int goes_directly(const shnode_object* found, size_t bytes, int pe) {
  return sn_stores_suffice() && sn_sees(found, pe) && bytes <= sn_set.direct_limit;
}

int shnode_put_slowly(void* dest, const void* source, size_t bytes, int pe) {
  const shnode_object* found;
  const int status = look_up(dest, bytes, pe, &found);
  if (status) return sn_fail(status);
  if (goes_directly(found, bytes, pe))
    sn_copy(shnode_there(found, dest, pe), source, bytes);
  else
    shmem_putmem(dest, source, bytes, pe);
  return SHNODE_OK;
}

int shnode_get_slowly(void* dest, const void* source, size_t bytes, int pe) {
  const shnode_object* found;
  const int status = look_up(source, bytes, pe, &found);
  if (status) return sn_fail(status);
  if (goes_directly(found, bytes, pe))
    sn_copy(dest, shnode_there(found, source, pe), bytes);
  else
    shmem_getmem(dest, source, bytes, pe);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  return SHNODE_OK;
}

void shnode_put_block(void* there, void* dest, const void* source, size_t bytes, int pe) {
  if (bytes <= sn_set.direct_limit)
    sn_copy(there, source, bytes);
  else
    shmem_putmem(dest, source, bytes, pe);
}

void shnode_get_block(void* dest, const void* there, const void* source, size_t bytes, int pe) {
  if (bytes <= sn_set.direct_limit)
    sn_copy(dest, there, bytes);
  else
    shmem_getmem(dest, source, bytes, pe);
}

static void set_flag(const shnode_object* word, long* flag, long value, int pe, int flag_directly,
                     int data_directly) {
  if (flag_directly) {
    if (!data_directly) shmem_quiet();
    /* Who waits for the flag is the user's program, by shmem_long_wait_until or an atomic load. */
    __atomic_store_n((long*)shnode_there(word, flag, pe), value, __ATOMIC_RELEASE); /* SYNC shnode-flag */
  } else {
    (void)shnode_fence();
    shmem_long_p(flag, value, pe);
  }
}

int shnode_putmem_flag(void* dest, const void* source, size_t bytes, long* flag, long value, int pe) {
  const shnode_object *block, *word;
  int status = look_up(flag, sizeof *flag, pe, &word);
  if (!status) status = look_up(dest, bytes, pe, &block);
  if (!status && (uintptr_t)flag % sizeof *flag) status = SHNODE_ERR_ARGUMENT;
  if (!status) status = shnode_putmem(dest, source, bytes, pe);
  if (status) return sn_fail(status);
  set_flag(word, flag, value, pe, goes_directly(word, sizeof *flag, pe), goes_directly(block, bytes, pe));
  return SHNODE_OK;
}

int shnode_fence(void) {
  const int status = sn_ready();
  if (status) return sn_fail(status);
  __atomic_thread_fence(
      __ATOMIC_SEQ_CST); /* later stores may be the system's, made by other means than mine */
  shmem_fence();
  return SHNODE_OK;
}

int shnode_quiet(void) {
  const int status = sn_ready();
  if (status) return sn_fail(status);
  __atomic_thread_fence(__ATOMIC_SEQ_CST); /* SYNC shnode-flag: whoever learns of this quiet sees my stores */
  shmem_quiet();
  return SHNODE_OK;
}
