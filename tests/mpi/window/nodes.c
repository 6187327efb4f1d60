// The nodes of the world, of it in reversed order and of every other rank, and their leaders: numbers, ranks and messages of both
// communicators. Who shares a node in one shares it in all.
// usage: nodes [NODES]     ATRIUM_NODE_RANKS: of a pretended node
// SPDX-License-Identifier: BSD-3-Clause
#include "atrium/nodes.h"

#include <stdlib.h>

#include "expect.h"

static void numbers_agree(MPI_Comm comm, const atrium_nodes* nodes) {
  const MPI_Comm node = atrium_nodes_comm(nodes), leaders = atrium_nodes_leaders(nodes);
  const int mine = atrium_nodes_mine(nodes), count = atrium_nodes_count(nodes);
  int local, rank, first, leading = leaders != MPI_COMM_NULL, sum, place;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_rank(node, &local);
  EXPECT(leading == (local == 0));
  EXPECT(mine >= 0 && mine < count);
  MPI_Allreduce(&leading, &sum, 1, MPI_INT, MPI_SUM, comm);
  EXPECT(sum == count);
  MPI_Allreduce(&rank, &first, 1, MPI_INT, MPI_MIN, node);
  EXPECT(!leading || first == rank);  // the first of its node in the communicator's order
  if (!leading) return;
  MPI_Comm_rank(leaders, &place);
  EXPECT(place == mine);
  MPI_Comm_size(leaders, &sum);
  EXPECT(sum == count);
  int firsts[64];
  MPI_Allgather(&rank, 1, MPI_INT, firsts, 1, MPI_INT, leaders);
  for (int node_before = 1; node_before < count; node_before++)
    EXPECT(firsts[node_before - 1] < firsts[node_before]);
}

// By the rank of the world, which is the launcher's number on one machine.
static void nodes_are_those_of_the_world(MPI_Comm comm, const atrium_nodes* nodes) {
  const char* cut = getenv("ATRIUM_NODE_RANKS");
  int rank, size, here, in_world, count = 0, firsts[64];
  MPI_Comm_rank(MPI_COMM_WORLD, &in_world);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Comm_size(atrium_nodes_comm(nodes), &here);
  const int mine = cut == NULL ? 0 : in_world / atoi(cut);
  MPI_Allgather(&mine, 1, MPI_INT, firsts, 1, MPI_INT, comm);
  for (int other = 0; other < size; other++) count += firsts[other] == mine;
  EXPECT(count == here);
}

static void check_nodes_of(MPI_Comm comm) {
  atrium_nodes* nodes = NULL;
  EXPECT(atrium_nodes_create(comm, &nodes) == MPI_SUCCESS);
  numbers_agree(comm, nodes);
  nodes_are_those_of_the_world(comm, nodes);
  EXPECT(atrium_nodes_free(&nodes) == MPI_SUCCESS);
}

int main(int argc, char** argv) {
  MPI_Comm reversed, alternating;
  atrium_nodes* nodes = NULL;
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  EXPECT(atrium_nodes_create(MPI_COMM_WORLD, &nodes) == MPI_SUCCESS);
  numbers_agree(MPI_COMM_WORLD, nodes);
  if (argc > 1) EXPECT(atrium_nodes_count(nodes) == atoi(argv[1]));
  EXPECT(atrium_nodes_free(&nodes) == MPI_SUCCESS && nodes == NULL);
  EXPECT(atrium_nodes_free(&nodes) == MPI_SUCCESS);

  MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &reversed);
  check_nodes_of(reversed);
  MPI_Comm_free(&reversed);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &alternating);
  check_nodes_of(alternating);
  MPI_Comm_free(&alternating);

  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  EXPECT(atrium_nodes_create(MPI_COMM_NULL, &nodes) == MPI_ERR_COMM && nodes == NULL);
  return finish();
}
