/* On which memory nodes the pages of a range shall lie: what a program may choose, what the process was given, and what
 * the kernel is asked for in the end.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A *policy* is the kernel's (set_mempolicy(2)): a mode and a set of memory nodes. A process is *given* one by numactl,
 * by a launcher, or by itself; cpusets bound the nodes besides. Pages without a policy of their own follow the policy of the process that
 * touches them first, so only code that places pages needs this file: it has to decide whether it may. */
#ifndef ATRIUM_MEMORY_POLICY_H
#define ATRIUM_MEMORY_POLICY_H

#include <errno.h>

#include "atrium_machine.h"

enum { atrium_most_nodes = 1024, atrium_nodes_per_word = 8 * sizeof(unsigned long) };

typedef struct {
  unsigned long words[atrium_most_nodes / atrium_nodes_per_word];
} atrium_node_set;

/* The kernel's numbers (linux/mempolicy.h). A mode may carry flags; they are handed on. */
enum {
  atrium_policy_none = 0,
  atrium_policy_preferred = 1,
  atrium_policy_interleave = 3,
  atrium_move_pages = 2
};

typedef struct {
  int mode;
  atrium_node_set nodes;
} atrium_memory_policy;

/* What a program may choose: one of the first three, or atrium_memory_node_0 + n for node n. */
enum {
  atrium_memory_near = 0, /* what the process was given, else the owner's node */
  atrium_memory_interleaved = 1,
  atrium_memory_high_bandwidth = 2, /* where the system says which that is, else as near */
  atrium_memory_node_0 = 16
};

/* ---- Sets of nodes ---- */

static inline int atrium_has_node(const atrium_node_set* set, int node) {
  return node >= 0 && node < atrium_most_nodes &&
         (int)(set->words[node / atrium_nodes_per_word] >> (node % atrium_nodes_per_word) & 1);
}

static inline void atrium_add_node(atrium_node_set* set, int node) {
  if (node >= 0 && node < atrium_most_nodes)
    set->words[node / atrium_nodes_per_word] |= 1UL << (node % atrium_nodes_per_word);
}

/* ---- What the system says of its nodes; `system` stands for ATRIUM_SYSTEM_FOLDER ---- */

/* MB/s that the CPUs of node `from` read from node `to`, by the firmware's tables, or 0: they are given for the CPUs that
 * are nearest to `to` only. access1 is of CPUs alone, access0 of accelerators, too; hwloc's memory attributes are these. */
static inline uint64_t atrium_node_bandwidth(int from, int to, const char* system) {
  for (int kind = 1; kind >= 0; kind--) {
    char path[atrium_path_bytes], text[64];
    snprintf(path, sizeof path, "%s/node/node%d/access%d/initiators/node%d", system, to, kind, from);
    if (access(path, F_OK) != 0) continue;
    snprintf(path, sizeof path, "%s/node/node%d/access%d/initiators/read_bandwidth", system, to, kind);
    atrium_read_file(path, text, sizeof text);
    return strtoull(text, NULL, 10);
  }
  return 0;
}

/* The allowed node from which the CPUs of node `near` read fastest: `near` itself where no other one is said to be. */
static inline int atrium_fastest_node(int near, const atrium_node_set* allowed, const char* system) {
  uint64_t best = near < 0 ? 0 : atrium_node_bandwidth(near, near, system);
  int fastest = near;
  for (int node = 0; near >= 0 && node < atrium_most_nodes; node++) {
    if (!atrium_has_node(allowed, node)) continue;
    const uint64_t bandwidth = atrium_node_bandwidth(near, node, system);
    if (bandwidth > best) best = bandwidth, fastest = node;
  }
  return fastest;
}

/* ---- The decision ---- */

static inline atrium_memory_policy atrium_prefer_node(int node) {
  atrium_memory_policy policy;
  memset(&policy, 0, sizeof policy);
  if (node < 0) return policy;
  policy.mode = atrium_policy_preferred;
  atrium_add_node(&policy.nodes, node);
  return policy;
}

/* What a program's choice asks for, of an owner that runs on node `near` (-1: not known). Mode atrium_policy_none: nothing, as
 * where it chooses high bandwidth and the system tells of no node that is faster than the owner's. */
static inline atrium_memory_policy atrium_chosen_policy(int choice, int near, const atrium_node_set* allowed,
                                                        const char* system) {
  if (choice >= atrium_memory_node_0) return atrium_prefer_node(choice - atrium_memory_node_0);
  if (choice == atrium_memory_interleaved) {
    const atrium_memory_policy interleaved = {atrium_policy_interleave, *allowed};
    return interleaved;
  }
  const int fastest =
      choice == atrium_memory_high_bandwidth ? atrium_fastest_node(near, allowed, system) : near;
  return atrium_prefer_node(fastest != near ? fastest : -1);
}

/* What the pages of such an owner shall follow. A program's own choice counts most, as mbind(2) counts more than
 * set_mempolicy(2); then what the process was given, by whomever; the owner's node is what remains. */
static inline atrium_memory_policy atrium_decide_policy(int choice, const atrium_memory_policy* given,
                                                        int near, const atrium_node_set* allowed,
                                                        const char* system) {
  const atrium_memory_policy chosen = atrium_chosen_policy(choice, near, allowed, system);
  if (chosen.mode != atrium_policy_none) return chosen;
  return given->mode != atrium_policy_none ? *given : atrium_prefer_node(near);
}

/* Whether a choice means anything here. */
static inline int atrium_is_memory_choice(int choice, const atrium_node_set* allowed) {
  const int named = choice == atrium_memory_near || choice == atrium_memory_interleaved ||
                    choice == atrium_memory_high_bandwidth;
  return named || (choice >= atrium_memory_node_0 && atrium_has_node(allowed, choice - atrium_memory_node_0));
}

/* ---- The kernel. A kernel without memory nodes fails these calls, and there is nothing to place then ---- */

enum { atrium_node_set_bits = atrium_most_nodes + 1 }; /* the kernel takes one off */

/* The policy that this thread, and what it starts, was given; mode atrium_policy_none where none was. */
static inline atrium_memory_policy atrium_given_policy(void) {
  atrium_memory_policy policy;
  memset(&policy, 0, sizeof policy);
  if (syscall(SYS_get_mempolicy, &policy.mode, &policy.nodes, (unsigned long)atrium_node_set_bits, NULL,
              0UL) != 0)
    memset(&policy, 0, sizeof policy);
  return policy;
}

/* The nodes that the cpuset of this process allows; node 0 where the kernel knows none. */
static inline atrium_node_set atrium_allowed_nodes(void) {
  const unsigned long mems_allowed = 4;
  atrium_node_set set;
  memset(&set, 0, sizeof set);
  if (syscall(SYS_get_mempolicy, NULL, &set, (unsigned long)atrium_node_set_bits, NULL, mems_allowed) != 0)
    atrium_add_node(&set, 0);
  return set;
}

/* The node of the CPU on which this thread runs, or -1. */
static inline int atrium_node_here(void) {
  unsigned cpu = 0, node = 0;
  return syscall(SYS_getcpu, &cpu, &node, NULL) == 0 ? (int)node : -1;
}

/* The node on which the page of an address lies, or -1. The page is touched by it. */
static inline int atrium_node_of_page(const void* address) {
  const unsigned long query_node = 1, query_address = 2;
  int node = -1;
  const long status = syscall(SYS_get_mempolicy, &node, NULL, 0UL, address, query_node | query_address);
  return status == 0 ? node : -1;
}

/* Whole pages. The policy is kept with shared memory, so it also rules what a peer touches later. Mode none takes one
 * back. Answers 0 or the error's number. `flags`: atrium_move_pages moves those that are there already. */
static inline int atrium_apply_policy(void* base, size_t bytes, const atrium_memory_policy* policy,
                                      unsigned flags) {
  const int has_nodes = policy->mode != atrium_policy_none;
  const long status = syscall(SYS_mbind, base, bytes, policy->mode, has_nodes ? &policy->nodes : NULL,
                              has_nodes ? (unsigned long)atrium_node_set_bits : 0UL, flags);
  return status == 0 ? 0 : errno;
}

#endif
