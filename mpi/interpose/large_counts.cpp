// MPI_Alltoall_c, MPI_Allreduce_c and MPI_Bcast_c, which MPI 4 adds for large counts and mpi4py calls always: the routines
// without _c wherever the data is not large.
// SPDX-License-Identifier: BSD-3-Clause
//
// Sender and receiver of a block agree on its bytes, as do all ranks of the other two, so all ranks see the same blocks and take the same way.
// The blocks of MPI_Alltoallv_c and MPI_Alltoallw_c (alltoall.cpp) differ, no rank knows all of them, and the ranks learn from each
// other where one is too large.
#include <mpi.h>

#if MPI_VERSION >= 4
#include <climits>

#include "interpose/entry.hpp"

namespace {

struct LargeBlock {
  MPI_Count count, size;

  bool is_small() const { return count >= 0 && (size == 0 || count <= INT_MAX / size); }
  int elements() const { return size == 0 ? 0 : static_cast<int>(count); }
};

LargeBlock block_of(MPI_Count count, MPI_Datatype type) {
  LargeBlock block{count, 0};
  if (type == MPI_DATATYPE_NULL || PMPI_Type_size_c(type, &block.size) != MPI_SUCCESS) block.count = -1;
  return block;
}

}  // namespace

ATRIUM_ENTRY int MPI_Alltoall_c(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                                MPI_Count receive_count, MPI_Datatype receive_type, MPI_Comm comm) {
  const LargeBlock received = block_of(receive_count, receive_type);
  const LargeBlock sent = send == MPI_IN_PLACE ? received : block_of(send_count, send_type);
  if (!sent.is_small() || !received.is_small())
    return PMPI_Alltoall_c(send, send_count, send_type, receive, receive_count, receive_type, comm);
  return MPI_Alltoall(send, sent.elements(), send_type, receive, received.elements(), receive_type, comm);
}

ATRIUM_ENTRY int MPI_Allreduce_c(const void* send, void* receive, MPI_Count count, MPI_Datatype type,
                                 MPI_Op op, MPI_Comm comm) {
  const LargeBlock data = block_of(count, type);
  if (!data.is_small()) return PMPI_Allreduce_c(send, receive, count, type, op, comm);
  return MPI_Allreduce(send, receive, data.elements(), type, op, comm);
}

ATRIUM_ENTRY int MPI_Bcast_c(void* buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
  const LargeBlock data = block_of(count, type);
  if (!data.is_small()) return PMPI_Bcast_c(buffer, count, type, root, comm);
  return MPI_Bcast(buffer, data.elements(), type, root, comm);
}
#endif
