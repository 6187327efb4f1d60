/* Buffers that two PEs swap: within the node only who holds whose memory changes.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each notifies the other whose memory it holds, in one of two places in turn: a second exchange may begin
 * before the other PE has read the first offer, a third cannot. */
#include <stdlib.h>

#include "internal.h"

static long* exchanges; /* by PE: how many so far */

static int open_exchanges(void) {
  if (!exchanges) exchanges = calloc((size_t)sn_pes, sizeof *exchanges);
  return exchanges ? SHNODE_OK : SHNODE_ERR_MEMORY;
}

void sn_close_exchanges(void) {
  free(exchanges);
  exchanges = NULL;
}

int shnode_buffer_create(shnode_buffer* buffer, size_t bytes) {
  int status = sn_ready();
  if (!status && (!buffer || !bytes)) status = SHNODE_ERR_ARGUMENT;
  if (!status) status = open_exchanges();
  if (status) return sn_fail(status);
  const shnode_buffer fresh = {.data = shmem_malloc(bytes), .bytes = bytes, .owner = sn_me};
  *buffer = fresh;
  buffer->symmetric = fresh.data;
  if (!fresh.data) return sn_fail(SHNODE_ERR_MEMORY);
  status = sn_register(fresh.data, bytes);
  return status == SHNODE_ERR_NOT_SHARED ? SHNODE_OK : sn_fail(status);
}

int shnode_buffer_destroy(shnode_buffer* buffer) {
  const int status = sn_ready();
  if (status || !buffer || !buffer->symmetric) return sn_fail(status ? status : SHNODE_ERR_ARGUMENT);
  (void)shnode_remove_data(buffer->symmetric);
  shmem_free(buffer->symmetric);
  memset(buffer, 0, sizeof *buffer);
  return SHNODE_OK;
}

/* Whose memory the other PE holds. */
static int trade_owners(const shnode_buffer* buffer, int pe) {
  const int turn = (int)(exchanges[pe]++ % 2);
  sn_post(&sn_ctl.inbox[sn_me].offer[turn], buffer->owner, pe);
  sn_notify(pe);
  sn_await(pe);
  return (int)sn_ctl.inbox[pe].offer[turn];
}

static void swap_contents(shnode_buffer* buffer, int owner, int pe, char* spare, size_t room) {
  for (size_t at = 0; at < buffer->bytes; at += room) {
    const size_t bytes = buffer->bytes - at < room ? buffer->bytes - at : room;
    shmem_getmem(spare, (char*)buffer->symmetric + at, bytes, owner);
    sn_notify(pe); /* I have read this part: the other may overwrite it */
    sn_await(pe);
    memcpy((char*)buffer->data + at, spare, bytes);
  }
}

int shnode_exchange(shnode_buffer* buffer, int pe) {
  enum { spare_bytes = 1 << 20 };
  int status = sn_ready();
  if (!status && (pe < 0 || pe >= sn_pes)) status = SHNODE_ERR_PE;
  if (!status && (!buffer || !buffer->symmetric)) status = SHNODE_ERR_ARGUMENT;
  const size_t room = !status && buffer->bytes < spare_bytes ? buffer->bytes : spare_bytes;
  char* spare = status ? NULL : sn_scratch(room);
  if (!status && !spare) status = SHNODE_ERR_MEMORY;
  if (status) return sn_fail(status);
  if (pe == sn_me) return SHNODE_OK;
  const int owner = trade_owners(buffer, pe);
  char* there = sn_set.exchange ? sn_view(buffer->symmetric, buffer->bytes, owner) : NULL;
  if (there) {
    buffer->data = there;
    buffer->owner = owner;
  } else {
    swap_contents(buffer, owner, pe, spare, room);
  }
  return SHNODE_OK;
}
