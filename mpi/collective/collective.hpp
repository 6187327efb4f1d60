// MPI_Allreduce, MPI_Bcast and MPI_Barrier: what every entry point calls, in C and in Fortran.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each is carried out by shared memory, between nodes by their leaders, or by the MPI's own routine, and answers the MPI's
// return code; errors have gone to the communicator's error handler.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>

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

// Broadcasts that a thread has found to be the MPI's, since they are small: of a named type, and of fewer elements than so many. It
// holds as long as what is found of states does.
struct SmallBcasts {
  MPI_Comm comm;
  MPI_Datatype type;
  std::uint64_t forgotten;
  std::size_t elements;
};
inline constinit thread_local std::array<SmallBcasts, handle_places> small_bcasts{};
inline std::size_t small_bcasts_place(MPI_Datatype type, MPI_Comm comm) {
  return handle_place((std::uintptr_t)type ^ (std::uintptr_t)comm);
}
// Whether a broadcast is certainly the MPI's. It answers in a few instructions, and true of most small ones only: in a row of
// them, a root spends no more than a hundred nanoseconds on each.
inline bool is_mpis_bcast(int count, MPI_Datatype type, MPI_Comm comm) {
  const SmallBcasts& small = small_bcasts[small_bcasts_place(type, comm)];
  return static_cast<unsigned>(count) < small.elements && small.comm == comm && small.type == type &&
         small.forgotten == forgotten_states.load(std::memory_order_relaxed);
}

int barrier(MPI_Comm comm);

}  // namespace atrium::mpi
