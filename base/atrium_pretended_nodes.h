/* ATRIUM_NODE_RANKS=K: into which pretended nodes the ranks of a machine are cut.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For both parts of Atrium for MPI. K ranks that follow each other in the launcher's numbers on the machine share a node. So two ranks
 * are on one node in all communicators or in none, and for collectives as for windows. Where the launcher says no numbers, the order
 * of the communicator counts. */
#ifndef ATRIUM_PRETENDED_NODES_H
#define ATRIUM_PRETENDED_NODES_H

#include <stdint.h>
#include <stdlib.h>

/* In the first of these variables that is set; the last one is null. */
static inline int atrium_number_of_launcher(const char* const* variables, int otherwise) {
  for (; *variables; ++variables) {
    const char* const text = getenv(*variables);
    if (text) return atoi(text);
  }
  return otherwise;
}

/* This process's number among those of the job on this machine, or -1. */
static inline int atrium_number_on_machine(void) {
  static const char* const variables[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID",
                                          0};
  return atrium_number_of_launcher(variables, -1);
}

/* `numbers`: those of the ranks of a communicator on one machine, in its order. `roots`: of each of them the first one on its node. A
 * node is full with `node_ranks`, in case that several processes have one number. */
static inline void atrium_cut_machine(const int64_t* numbers, int count, int64_t node_ranks, int* roots) {
  int are_numbered = 1;
  for (int rank = 0; rank < count; ++rank) are_numbered = are_numbered && numbers[rank] >= 0;
  for (int rank = 0; rank < count; ++rank) {
    const int64_t part = are_numbered ? numbers[rank] / node_ranks : 0;
    int before = rank - 1, there = 0;
    while (before >= 0 && (are_numbered ? numbers[before] / node_ranks : 0) != part) --before;
    for (int other = before; other >= 0; --other) there += roots[other] == roots[before];
    roots[rank] = before >= 0 && there < node_ranks ? roots[before] : rank;
  }
}

#endif
