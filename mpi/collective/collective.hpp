// MPI_Allreduce, MPI_Bcast and MPI_Barrier: what every entry point calls, in C and in Fortran.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each is carried out by shared memory, between nodes by their leaders, or by the MPI's own routine, and answers the MPI's
// return code; errors have gone to the communicator's error handler.
#pragma once

#include <mpi.h>

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

int barrier(MPI_Comm comm);

}  // namespace atrium::mpi
