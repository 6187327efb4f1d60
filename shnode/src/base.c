/* Beginning and end, and the questions about the team.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "internal.h"

int sn_me, sn_pes;
static enum { ended, begun, teamed } state;
static __thread int last_error;

int shnode_error(void) { return last_error; }

int sn_fail(int code) {
  if (code) last_error = code;
  return code;
}

int sn_ready(void) {
  return state == teamed ? SHNODE_OK : state == begun ? SHNODE_ERR_NO_TEAM : SHNODE_ERR_NO_INIT;
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

int shnode_init(void) {
  if (state != ended) return sn_fail(SHNODE_ERR_AGAIN);
  sn_me = shmem_my_pe();
  sn_pes = shmem_n_pes();
  sn_choose_copy();
  int status = sn_read_settings();
  if (!status) status = sn_create_control();
  if (status) return sn_fail(status);
  state = begun;
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
  if (state != begun) return sn_fail(state == ended ? SHNODE_ERR_NO_INIT : SHNODE_ERR_AGAIN);
  const int status = open_team(data);
  if (status) {
    close_team();
    return sn_fail(status);
  }
  state = teamed;
  if (sn_set.info && sn_me == 0) sn_print_info();
  return shnode_add_data(data);
}

int shnode_finalize(void) {
  if (state == ended) return sn_fail(SHNODE_ERR_NO_INIT);
  shnode_quiet();
  sn_destroy_control(); /* a barrier: nobody uses what follows any more */
  close_team();
  state = ended;
  return SHNODE_OK;
}

static int pe_is_ready(int pe) {
  const int status = sn_ready();
  return status ? status : pe < 0 || pe >= sn_pes ? SHNODE_ERR_PE : SHNODE_OK;
}

int shnode_is_team_member(int pe) { return !sn_fail(pe_is_ready(pe)) && sn_node_of[pe] == sn_node_of[sn_me]; }

int shnode_am_team_leader(void) { return !sn_fail(sn_ready()) && sn_members[0] == sn_me; }

int shnode_node_count(void) { return sn_fail(sn_ready()) ? 0 : sn_nodes; }

int shnode_node_of(int pe) {
  const int status = pe_is_ready(pe);
  return status ? sn_fail(status) : sn_node_of[pe];
}

int shnode_team_size(void) { return sn_fail(sn_ready()) ? 0 : sn_member_count; }

int shnode_team_member(int index) {
  const int status = sn_ready();
  if (status || index < 0 || index >= sn_member_count) return sn_fail(status ? status : SHNODE_ERR_ARGUMENT);
  return sn_members[index];
}

int shnode_group_leader(void) {
  const sn_plan* plan;
  const int status = sn_plan_active_set(0, 0, sn_pes, &plan);
  return status ? sn_fail(status) : sn_leader(plan, plan->my_group);
}
