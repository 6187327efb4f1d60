// The C entry points that a program calls instead of its MPI's, with int counts and with MPI 4's large ones.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/entry.hpp"
#include "interpose/sides.hpp"

using namespace atrium::mpi;

#define ATRIUM_EQUAL(name, Count)                                                                  \
  ATRIUM_ENTRY int name(const void* send, Count send_count, MPI_Datatype send_type, void* receive, \
                        Count receive_count, MPI_Datatype receive_type, MPI_Comm comm) {           \
    return alltoall(Exchange{AlltoallRoutine::alltoall, uniform(send, send_count, send_type),      \
                             uniform(receive, receive_count, receive_type), comm});                \
  }
#define ATRIUM_VARYING(name, Count, Displacement)                                                           \
  ATRIUM_ENTRY int name(const void* send, const Count* send_counts, const Displacement* send_displacements, \
                        MPI_Datatype send_type, void* receive, const Count* receive_counts,                 \
                        const Displacement* receive_displacements, MPI_Datatype receive_type,               \
                        MPI_Comm comm) {                                                                    \
    return alltoall(Exchange{AlltoallRoutine::alltoallv,                                                    \
                             varying(send, send_counts, send_displacements, send_type),                     \
                             varying(receive, receive_counts, receive_displacements, receive_type), comm}); \
  }
#define ATRIUM_MIXED(name, Count, Displacement)                                                             \
  ATRIUM_ENTRY int name(const void* send, const Count* send_counts, const Displacement* send_displacements, \
                        const MPI_Datatype* send_types, void* receive, const Count* receive_counts,         \
                        const Displacement* receive_displacements, const MPI_Datatype* receive_types,       \
                        MPI_Comm comm) {                                                                    \
    return alltoall(Exchange{AlltoallRoutine::alltoallw,                                                    \
                             mixed(send, send_counts, send_displacements, send_types),                      \
                             mixed(receive, receive_counts, receive_displacements, receive_types), comm});  \
  }

ATRIUM_EQUAL(MPI_Alltoall, int)
ATRIUM_VARYING(MPI_Alltoallv, int, int)
ATRIUM_MIXED(MPI_Alltoallw, int, int)

#if MPI_VERSION >= 4
ATRIUM_EQUAL(MPI_Alltoall_c, MPI_Count)
ATRIUM_VARYING(MPI_Alltoallv_c, MPI_Count, MPI_Aint)
ATRIUM_MIXED(MPI_Alltoallw_c, MPI_Count, MPI_Aint)
#endif
