// The nodes of a communicator and their leaders, for programs that gather the messages of a node themselves.
// SPDX-License-Identifier: BSD-3-Clause
#include "atrium/nodes.h"

#include <stdlib.h>

#include "atrium_mpi_handles.h"
#include "window.h"

struct atrium_nodes {
  MPI_Comm node, leaders;
  int mine, count;
};

// The leaders' order is that of the communicator, and their ranks are the numbers of the nodes.
static int find_leaders(MPI_Comm comm, atrium_nodes* nodes) {
  int rank = 0, local = 0, numbers[2] = {0, 0};
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_rank(nodes->node, &local);
  const int code = MPI_Comm_split(comm, local == 0 ? 0 : MPI_UNDEFINED, rank, &nodes->leaders);
  if (code != MPI_SUCCESS) return code;
  if (local == 0) {
    MPI_Comm_rank(nodes->leaders, &numbers[0]);
    MPI_Comm_size(nodes->leaders, &numbers[1]);
  }
  const int error = MPI_Bcast(numbers, 2, MPI_INT, 0, nodes->node);
  nodes->mine = numbers[0];
  nodes->count = numbers[1];
  return error;
}

static int release(atrium_nodes* nodes) {
  int code = MPI_SUCCESS;
  if (nodes->leaders != MPI_COMM_NULL) code = MPI_Comm_free(&nodes->leaders);
  if (nodes->node != MPI_COMM_NULL && code == MPI_SUCCESS) code = MPI_Comm_free(&nodes->node);
  free(nodes);
  return code;
}

int atrium_nodes_create(MPI_Comm comm, atrium_nodes** result) {
  int unused = 0;
  *result = NULL;
  if (!is_usable(comm)) return refuse_comm(comm, "cannot find the nodes", "atrium_nodes_create");
  atrium_nodes* nodes = own_memory(1, sizeof *nodes);
  *nodes = (atrium_nodes){MPI_COMM_NULL, MPI_COMM_NULL, 0, 0};
  int code = split_quietly(comm, ATRIUM_BY_NODE, &nodes->node, &unused);
  if (code == MPI_SUCCESS) code = find_leaders(comm, nodes);
  if (code != MPI_SUCCESS) {
    release(nodes);
    return pass_on(comm, NULL, code, "atrium_nodes_create");
  }
  *result = nodes;
  return MPI_SUCCESS;
}

int atrium_nodes_free(atrium_nodes** handle) {
  if (*handle == NULL) return MPI_SUCCESS;
  atrium_nodes* nodes = *handle;
  *handle = NULL;
  return pass_on(MPI_COMM_WORLD, NULL, release(nodes), "atrium_nodes_free");
}

int atrium_nodes_mine(const atrium_nodes* nodes) { return nodes->mine; }
int atrium_nodes_count(const atrium_nodes* nodes) { return nodes->count; }
MPI_Comm atrium_nodes_comm(const atrium_nodes* nodes) { return nodes->node; }
MPI_Comm atrium_nodes_leaders(const atrium_nodes* nodes) { return nodes->leaders; }

// Fortran has integer handles.
ATRIUM_WINDOW_API int atrium_nodes_create_f(MPI_Fint comm, atrium_nodes** nodes) {
  return atrium_nodes_create(MPI_Comm_f2c(comm), nodes);
}
ATRIUM_WINDOW_API MPI_Fint atrium_nodes_comm_f(const atrium_nodes* nodes) {
  return MPI_Comm_c2f(nodes->node);
}
ATRIUM_WINDOW_API MPI_Fint atrium_nodes_leaders_f(const atrium_nodes* nodes) {
  return MPI_Comm_c2f(nodes->leaders);
}
