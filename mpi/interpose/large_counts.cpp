// MPI_Alltoall_c, which MPI 4 adds for large counts and mpi4py calls always: MPI_Alltoall wherever the block
// is not large.
// SPDX-License-Identifier: BSD-3-Clause
//
// Sender and receiver of a block agree on its bytes, so all ranks see the same blocks and take the same way.
// The blocks of MPI_Alltoallv_c and MPI_Alltoallw_c differ, no rank knows all of them, and they are left to
// the MPI.
#include <mpi.h>

#if MPI_VERSION >= 4
#include <climits>

namespace {

struct Block {
  MPI_Count count, size;

  bool is_small() const { return count >= 0 && (size == 0 || count <= INT_MAX / size); }
  int elements() const { return size == 0 ? 0 : static_cast<int>(count); }
};

Block block_of(MPI_Count count, MPI_Datatype type) {
  Block block{count, 0};
  if (type == MPI_DATATYPE_NULL || PMPI_Type_size_c(type, &block.size) != MPI_SUCCESS) block.count = -1;
  return block;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int MPI_Alltoall_c(const void* send, MPI_Count send_count,
                                                                     MPI_Datatype send_type, void* receive,
                                                                     MPI_Count receive_count,
                                                                     MPI_Datatype receive_type,
                                                                     MPI_Comm comm) {
  const Block received = block_of(receive_count, receive_type);
  const Block sent = send == MPI_IN_PLACE ? received : block_of(send_count, send_type);
  if (!sent.is_small() || !received.is_small())
    return PMPI_Alltoall_c(send, send_count, send_type, receive, receive_count, receive_type, comm);
  return MPI_Alltoall(send, sent.elements(), send_type, receive, received.elements(), receive_type, comm);
}
#endif
