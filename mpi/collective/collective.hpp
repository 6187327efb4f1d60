// MPI_Allreduce, MPI_Bcast and MPI_Barrier: what every entry point calls, in C and in Fortran.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each is carried out by shared memory, between nodes by their leaders, or by the MPI's own routine, and answers the MPI's
// return code; errors have gone to the communicator's error handler.
#pragma once

#include <mpi.h>

#include "cache/cache.hpp"
#include "datatype/shape.hpp"

namespace atrium::mpi {

// As the caller gave them.
struct Reduction {
  const void* send = nullptr;
  void* receive = nullptr;
  int count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_OP_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
};
int allreduce(const Reduction& reduction);

struct BcastCall {
  void* buffer = nullptr;
  int count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int root = 0;
  MPI_Comm comm = MPI_COMM_NULL;
};
int bcast(const BcastCall& broadcast);
// Whether a broadcast is certainly the MPI's. It answers in a few instructions, and true of most small ones only: in a row of
// them, a root spends no more than a hundred nanoseconds on each.
inline bool is_mpis_bcast(int count, MPI_Datatype type, MPI_Comm comm) {
  const CommState* state = remember_state(comm);
  const std::size_t size = remember_size(type);
  return state && size && static_cast<std::size_t>(count) * size < state->fewest_broadcast_bytes();
}

int barrier(MPI_Comm comm);

}  // namespace atrium::mpi
