/* Initialization and finalization, which open and close what the other files hold.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "internal.h"

int shnode_init(void) {
  if (sn_state != sn_ended) return sn_fail(SHNODE_ERR_AGAIN);
  sn_me = shmem_my_pe();
  sn_pes = shmem_n_pes();
  sn_choose_copy();
  int status = sn_read_settings();
  if (!status) status = sn_create_control();
  if (status) return sn_fail(status);
  sn_state = sn_begun;
  return SHNODE_OK;
}

static int open_team(const void* data) {
  int status = sn_find_nodes(data);
  if (!status) status = sn_open_sync();
  if (!status) status = sn_open_register();
  return status;
}

static void close_team(void) {
  sn_close_register();
  sn_forget_plans();
  sn_close_exchanges();
  sn_close_sync();
  sn_forget_nodes();
  sn_free_scratch();
}

int shnode_create_team(const void* data) {
  if (sn_state != sn_begun) return sn_fail(sn_state == sn_ended ? SHNODE_ERR_NO_INIT : SHNODE_ERR_AGAIN);
  const int status = open_team(data);
  if (status) {
    close_team();
    return sn_fail(status);
  }
  sn_state = sn_teamed;
  if (sn_set.info && sn_me == 0) sn_print_info();
  return shnode_add_data(data);
}

int shnode_finalize(void) {
  if (sn_state == sn_ended) return sn_fail(SHNODE_ERR_NO_INIT);
  shnode_quiet();
  sn_destroy_control(); /* a barrier: nobody uses what follows any more */
  close_team();
  sn_state = sn_ended;
  return SHNODE_OK;
}
