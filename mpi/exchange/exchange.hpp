// One call of MPI_Alltoall, MPI_Alltoallv or MPI_Alltoallw: the seam between the entry points and the
// algorithms.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <utility>

#include "datatype/shape.hpp"
#include "exchange/per_rank.hpp"

namespace atrium::mpi {

enum class AlltoallRoutine { alltoall, alltoallv, alltoallw };

// One side's arguments, as the caller gave them.
struct Side {
  void* buffer = nullptr;
  MPI_Aint count = 0;                     // alltoall
  PerRank counts;                         // alltoallv, alltoallw
  PerRank displacements;                  // elements (alltoallv) or bytes (alltoallw)
  MPI_Datatype type = MPI_DATATYPE_NULL;  // alltoall, alltoallv
  const MPI_Datatype* types = nullptr;    // alltoallw
};

struct Exchange {
  AlltoallRoutine routine = AlltoallRoutine::alltoall;
  Side send, receive;
  MPI_Comm comm = MPI_COMM_NULL;

  bool in_place() const { return send.buffer == MPI_IN_PLACE; }
  // Only MPI 4's routines for large counts take its arguments.
  bool has_large_counts() const {
    return receive.counts.is_wide() || !std::in_range<int>(receive.count) ||
           (!in_place() && !std::in_range<int>(send.count));
  }
};

// What every entry point calls, in C and in Fortran: carries the exchange out, by shared memory or by the
// MPI's own routine, and answers the MPI's return code; errors have gone to the communicator's error handler.
int alltoall(const Exchange& exchange);

// The MPI's own routine.
int call_mpi(const Exchange& exchange);

// True if the arguments are so wrong that the MPI is certain to refuse them before it sends anything. `peers`: the
// length of the arrays.
bool is_refused(const Exchange& exchange, int peers);

// A side's blocks, one per peer. `from` must outlive it.
class Blocks {
 public:
  explicit Blocks(const Side& from) : from_(from) {
    if (!from.types) shape_ = describe(from.type);
  }
  Block at(int peer) const;
  std::size_t bytes(int peer) const { return at(peer).bytes(); }
  std::size_t total(int size) const;
  // Of equal blocks: they lie in memory one behind the other, as they are packed.
  bool are_plain() const { return !from_.counts && shape_.contiguous; }
  // Each of so many blocks can be packed in one piece.
  bool are_packable(int size) const;

 private:
  const Side& from_;
  mutable TypeShape shape_;  // alltoallw: of the block that at() answered last
};

inline Block Blocks::at(int peer) const {
  char* base = static_cast<char*>(from_.buffer);
  if (!from_.counts) return {base + shape_.extent * peer * from_.count, from_.count, &shape_};
  if (!from_.types) return {base + shape_.extent * from_.displacements[peer], from_.counts[peer], &shape_};
  shape_ = describe(from_.types[peer]);
  return {base + from_.displacements[peer], from_.counts[peer], &shape_};
}

// With MPI_IN_PLACE what is sent lies where the answer will be.
inline const Side& sending_side(const Exchange& exchange) {
  return exchange.in_place() ? exchange.receive : exchange.send;
}

}  // namespace atrium::mpi
