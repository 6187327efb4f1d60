/* Answers a program's questions about its team: members, nodes, leaders, addresses.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "internal.h"

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
