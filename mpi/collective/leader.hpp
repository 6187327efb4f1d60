// The part of a reduction or barrier between nodes: each node's leader talks to the others by the MPI's own collective.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "comm/comm_state.hpp"

namespace atrium::mpi {

// Every rank of the node has arrived or is about to. The leader waits for all of them and then calls `talk()`, which answers
// the MPI's code; the others wait for the leader, and see what it has written by then. Answers this rank's code: where the
// leader's is an error it is one for all of the node.
template <class Talk>
int through_leader(CommState& state, Talk talk) {
  NodeBuffer& buffer = state.node_buffer();
  if (!state.nodes().i_lead())
    return buffer.await_leaders(1).verdict == CallVerdict::go ? MPI_SUCCESS : MPI_ERR_OTHER;
  buffer.await_all();
  const int error = talk();
  buffer.deliver({error == MPI_SUCCESS ? CallVerdict::go : CallVerdict::fallback, 0, 0});
  return error;
}

}  // namespace atrium::mpi
