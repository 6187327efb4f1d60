// The C entry points that a program calls instead of its MPI's, for blocks of different sizes also those with large counts.
// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/exchange.hpp"

#define ATRIUM_ENTRY extern "C" __attribute__((visibility("default")))

namespace {

using atrium::mpi::AlltoallRoutine;
using atrium::mpi::Exchange;
using atrium::mpi::PerRank;
using atrium::mpi::Side;

// The MPI takes what is sent as const; a side is one type for both directions, and nothing is written to that
// one.
void* writable(const void* buffer) { return const_cast<void*>(buffer); }

Side uniform(const void* buffer, int count, MPI_Datatype type) {
  return {writable(buffer), count, {}, {}, type, nullptr};
}

Side varying(const void* buffer, PerRank counts, PerRank displacements, MPI_Datatype type) {
  return {writable(buffer), 0, counts, displacements, type, nullptr};
}

Side mixed(const void* buffer, PerRank counts, PerRank displacements, const MPI_Datatype* types) {
  return {writable(buffer), 0, counts, displacements, MPI_DATATYPE_NULL, types};
}

}  // namespace

ATRIUM_ENTRY int MPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                              int receive_count, MPI_Datatype receive_type, MPI_Comm comm) {
  return atrium::mpi::alltoall(Exchange{AlltoallRoutine::alltoall, uniform(send, send_count, send_type),
                                        uniform(receive, receive_count, receive_type), comm});
}

ATRIUM_ENTRY int MPI_Alltoallv(const void* send, const int* send_counts, const int* send_displacements,
                               MPI_Datatype send_type, void* receive, const int* receive_counts,
                               const int* receive_displacements, MPI_Datatype receive_type, MPI_Comm comm) {
  return atrium::mpi::alltoall(
      Exchange{AlltoallRoutine::alltoallv, varying(send, send_counts, send_displacements, send_type),
               varying(receive, receive_counts, receive_displacements, receive_type), comm});
}

ATRIUM_ENTRY int MPI_Alltoallw(const void* send, const int* send_counts, const int* send_displacements,
                               const MPI_Datatype* send_types, void* receive, const int* receive_counts,
                               const int* receive_displacements, const MPI_Datatype* receive_types,
                               MPI_Comm comm) {
  return atrium::mpi::alltoall(
      Exchange{AlltoallRoutine::alltoallw, mixed(send, send_counts, send_displacements, send_types),
               mixed(receive, receive_counts, receive_displacements, receive_types), comm});
}

#if MPI_VERSION >= 4
ATRIUM_ENTRY int MPI_Alltoallv_c(const void* send, const MPI_Count* send_counts,
                                 const MPI_Aint* send_displacements, MPI_Datatype send_type, void* receive,
                                 const MPI_Count* receive_counts, const MPI_Aint* receive_displacements,
                                 MPI_Datatype receive_type, MPI_Comm comm) {
  return atrium::mpi::alltoall(
      Exchange{AlltoallRoutine::alltoallv, varying(send, send_counts, send_displacements, send_type),
               varying(receive, receive_counts, receive_displacements, receive_type), comm});
}

ATRIUM_ENTRY int MPI_Alltoallw_c(const void* send, const MPI_Count* send_counts,
                                 const MPI_Aint* send_displacements, const MPI_Datatype* send_types,
                                 void* receive, const MPI_Count* receive_counts,
                                 const MPI_Aint* receive_displacements, const MPI_Datatype* receive_types,
                                 MPI_Comm comm) {
  return atrium::mpi::alltoall(
      Exchange{AlltoallRoutine::alltoallw, mixed(send, send_counts, send_displacements, send_types),
               mixed(receive, receive_counts, receive_displacements, receive_types), comm});
}
#endif
