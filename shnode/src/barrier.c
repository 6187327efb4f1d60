/* The three steps of every collective: members to their leader, leaders among each other, leader to members.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "internal.h"

void sn_gather_group(const sn_plan* plan) {
  if (plan->my_place) {
    sn_notify(sn_leader(plan, plan->my_group));
    return;
  }
  for (int place = 1; place < sn_group_size(plan, plan->my_group); place++)
    sn_await(sn_pe_at(plan, plan->my_group, place));
}

void sn_release_group(const sn_plan* plan) {
  if (plan->my_place) {
    sn_await(sn_leader(plan, plan->my_group));
    return;
  }
  for (int place = 1; place < sn_group_size(plan, plan->my_group); place++)
    sn_notify(sn_pe_at(plan, plan->my_group, place));
}

/* Dissemination: after round r each knows, directly or through others, that the 2^r leaders before it have come. */
void sn_meet_leaders(const sn_plan* plan) {
  const int count = plan->groups, me = plan->my_group;
  for (int distance = 1; distance < count; distance *= 2) {
    sn_notify(sn_leader(plan, (me + distance) % count));
    sn_await(sn_leader(plan, (me + count - distance) % count));
  }
}

void sn_meet_all(const sn_plan* plan) {
  sn_gather_group(plan);
  if (plan->my_place == 0) sn_meet_leaders(plan);
  sn_release_group(plan);
}
