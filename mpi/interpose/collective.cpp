// The C entry points of MPI_Allreduce, MPI_Bcast and MPI_Barrier, which a program calls instead of its MPI's.
// SPDX-License-Identifier: BSD-3-Clause
#include "collective/collective.hpp"

#include "interpose/entry.hpp"

ATRIUM_ENTRY int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                               MPI_Comm comm) {
  return atrium::mpi::allreduce({send, receive, count, type, op, comm});
}

ATRIUM_ENTRY int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  if (atrium::mpi::is_mpis_bcast(count, type, comm)) return PMPI_Bcast(buffer, count, type, root, comm);
  return atrium::mpi::bcast({buffer, count, type, root, comm});
}

ATRIUM_ENTRY int MPI_Barrier(MPI_Comm comm) { return atrium::mpi::barrier(comm); }
