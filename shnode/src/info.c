/* SHNODE_INFO=1: what was found and chosen, once, from PE 0.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

#include "internal.h"

static const char* on_or_off(int value) { return value ? "on" : "off"; }

static void print_sizes(void) {
  printf("shnode: nodes                 %d, the largest of %d PEs%s\n", sn_nodes, sn_largest,
         sn_set.node_pes[0] ? " (pretended: SHNODE_NODE_PES)" : "");
}

static void print_leaders(void) {
  const sn_plan* plan;
  if (sn_plan_active_set(0, 0, sn_pes, &plan)) return;
  printf("shnode: leaders               %d, one for at most %d PEs (SHNODE_PES_PER_LEADER)\n", plan->groups,
         plan->largest_group);
}

static void print_limit(void) {
  if (sn_set.direct_limit == SIZE_MAX)
    printf("shnode: direct transfers      of any size (SHNODE_DIRECT_LIMIT)\n");
  else
    printf("shnode: direct transfers      up to %zu bytes, larger by the system (SHNODE_DIRECT_LIMIT)\n",
           sn_set.direct_limit);
}

static const char* by_the_system(int shared) {
  return !shared ? "by the system: nothing is shared" : "by the system";
}

static void print_transfers(int shared, int direct) {
  if (shared && sn_set.rma && !direct)
    printf(
        "shnode: put and get           by Atrium, which must see them (oversubscribed, ATRIUM_CHECK or "
        "tool)\n");
  else
    printf("shnode: put and get           %s (SHNODE_RMA)\n", direct ? "direct" : by_the_system(shared));
}

static void print_waiting(void) {
  const int cpus = sn_usable_cpus();
  printf("shnode: waiting               %s: %d PEs here, CPUs that they may use: %d\n",
         sn_host_pes <= cpus ? "spins first" : "gives up the CPU", sn_host_pes, cpus);
}

void sn_print_info(void) {
  const int shared = sn_largest > 1, direct = shared && sn_stores_suffice(),
            led = shared && sn_set.collectives;
  const char* not_led = shared && sn_over_atrium ? "by Atrium, which knows the node" : by_the_system(shared);
  printf("shnode: OpenSHMEM             %d.%d, %d PEs\n", SHMEM_MAJOR_VERSION, SHMEM_MINOR_VERSION, sn_pes);
  print_sizes();
  print_transfers(shared, direct);
  if (direct) print_limit();
  printf("shnode: collectives           %s (SHNODE_COLLECTIVES)\n", led ? "with leaders" : not_led);
  if (led) print_leaders();
  printf("shnode: exchange by pointers  %s (SHNODE_EXCHANGE)\n", on_or_off(shared && sn_set.exchange));
  printf("shnode: queries               %s (SHNODE_QUERIES)\n",
         sn_set.queries ? "from the table" : "by shmem_ptr");
  print_waiting();
  printf("shnode: NUMA node of PE 0     %d (-1: none; SHNODE_NUMA)\n", sn_ctl.all[0].numa);
  fflush(stdout);
}
