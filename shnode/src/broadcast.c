/* Broadcast: the root, or a leader, is read by the next leaders and by its group, each straight into its
 * dest.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "internal.h"

/* The root leads its own group here. */
typedef struct {
  const sn_plan* plan;
  void* dest;
  const void* source;
  size_t bytes;
  int root, root_group; /* a rank, a group */
} broadcast;

static int head_of(const broadcast* b, int group) {
  return group == b->root_group ? b->plan->pe[b->root] : sn_leader(b->plan, group);
}

/* Groups are numbered from the root's in the tree. */
static int head_at(const broadcast* b, int index) {
  return head_of(b, (index + b->root_group) % b->plan->groups);
}

static void read_from(const broadcast* b, int pe) {
  sn_await(pe);
  sn_pull(b->dest, pe == b->plan->pe[b->root] ? b->source : b->dest, b->bytes, pe);
  sn_notify(pe);
}

static void for_my_group(const broadcast* b, void (*act)(int)) {
  const sn_plan* plan = b->plan;
  for (int place = 0; place < sn_group_size(plan, plan->my_group); place++) {
    const int pe = sn_pe_at(plan, plan->my_group, place);
    if (pe != sn_me) act(pe);
  }
}

/* Notifies all that read from me, and then waits for them: my memory is the user's again when I return. */
static void serve_as_head(const broadcast* b) {
  const int groups = b->plan->groups, index = (b->plan->my_group + groups - b->root_group) % groups;
  if (index) read_from(b, head_at(b, sn_parent(index)));
  SN_FOR_CHILDREN(step, index, groups) sn_notify(head_at(b, index + step));
  for_my_group(b, sn_notify);
  SN_FOR_CHILDREN(step, index, groups) sn_await(head_at(b, index + step));
  for_my_group(b, sn_await);
}

static int group_of(const sn_plan* plan, int rank) {
  for (int group = 0;; group++)
    for (int i = plan->start[group]; i < plan->start[group + 1]; i++)
      if (plan->order[i] == rank) return group;
}

void sn_broadcast(const sn_plan* plan, void* dest, const void* source, size_t bytes, int root) {
  const broadcast b = {plan, dest, source, bytes, root, group_of(plan, root)};
  const int head = head_of(&b, plan->my_group);
  if (head == sn_me)
    serve_as_head(&b);
  else
    read_from(&b, head);
}
