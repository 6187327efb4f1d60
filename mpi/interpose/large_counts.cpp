// MPI_Allreduce_c and MPI_Bcast_c, which MPI 4 adds for large counts and mpi4py calls always: the routines without _c wherever
// the data is not large. All ranks have the same bytes, so all take the same way.
// SPDX-License-Identifier: BSD-3-Clause
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
