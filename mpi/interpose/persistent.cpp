// The C entry points that make persistent all-to-alls, among all ranks and among neighbours.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/entry.hpp"
#include "interpose/requests.hpp"
#include "interpose/sides.hpp"
#include "persistent/init.hpp"

namespace {

using namespace atrium::mpi;

int init(Whom whom, AlltoallRoutine routine, const Side& send, const Side& receive, MPI_Comm comm,
         MPI_Info info, MPI_Request* request) {
  return init_exchange(whom, completes_requests(), Exchange{routine, send, receive, comm}, info, request);
}

}  // namespace

// `Count` and `Displacement` are those of the arguments; alltoallw among neighbours has MPI_Aint in either case.
#define ATRIUM_EQUAL(name, whom, Count)                                                               \
  ATRIUM_ENTRY int name(const void* send, Count send_count, MPI_Datatype send_type, void* receive,    \
                        Count receive_count, MPI_Datatype receive_type, MPI_Comm comm, MPI_Info info, \
                        MPI_Request* request) {                                                       \
    return init(whom, AlltoallRoutine::alltoall, uniform(send, send_count, send_type),                \
                uniform(receive, receive_count, receive_type), comm, info, request);                  \
  }
#define ATRIUM_VARYING(name, whom, Count, Displacement)                                                      \
  ATRIUM_ENTRY int name(const void* send, const Count* send_counts, const Displacement* send_displacements,  \
                        MPI_Datatype send_type, void* receive, const Count* receive_counts,                  \
                        const Displacement* receive_displacements, MPI_Datatype receive_type, MPI_Comm comm, \
                        MPI_Info info, MPI_Request* request) {                                               \
    return init(whom, AlltoallRoutine::alltoallv, varying(send, send_counts, send_displacements, send_type), \
                varying(receive, receive_counts, receive_displacements, receive_type), comm, info, request); \
  }
#define ATRIUM_MIXED(name, whom, Count, Displacement)                                                       \
  ATRIUM_ENTRY int name(const void* send, const Count* send_counts, const Displacement* send_displacements, \
                        const MPI_Datatype* send_types, void* receive, const Count* receive_counts,         \
                        const Displacement* receive_displacements, const MPI_Datatype* receive_types,       \
                        MPI_Comm comm, MPI_Info info, MPI_Request* request) {                               \
    return init(whom, AlltoallRoutine::alltoallw, mixed(send, send_counts, send_displacements, send_types), \
                mixed(receive, receive_counts, receive_displacements, receive_types), comm, info, request); \
  }
#define ATRIUM_ALL(prefix)                                                     \
  ATRIUM_EQUAL(prefix##_Alltoall_init, Whom::all, int)                         \
  ATRIUM_VARYING(prefix##_Alltoallv_init, Whom::all, int, int)                 \
  ATRIUM_MIXED(prefix##_Alltoallw_init, Whom::all, int, int)                   \
  ATRIUM_EQUAL(prefix##_Neighbor_alltoall_init, Whom::neighbours, int)         \
  ATRIUM_VARYING(prefix##_Neighbor_alltoallv_init, Whom::neighbours, int, int) \
  ATRIUM_MIXED(prefix##_Neighbor_alltoallw_init, Whom::neighbours, int, MPI_Aint)

ATRIUM_ALL(MPI)
#ifdef OPEN_MPI
ATRIUM_ALL(MPIX)  // what Open MPI 4.1 calls them
#endif

#if MPI_VERSION >= 4
ATRIUM_EQUAL(MPI_Alltoall_init_c, Whom::all, MPI_Count)
ATRIUM_VARYING(MPI_Alltoallv_init_c, Whom::all, MPI_Count, MPI_Aint)
ATRIUM_MIXED(MPI_Alltoallw_init_c, Whom::all, MPI_Count, MPI_Aint)
ATRIUM_EQUAL(MPI_Neighbor_alltoall_init_c, Whom::neighbours, MPI_Count)
ATRIUM_VARYING(MPI_Neighbor_alltoallv_init_c, Whom::neighbours, MPI_Count, MPI_Aint)
ATRIUM_MIXED(MPI_Neighbor_alltoallw_init_c, Whom::neighbours, MPI_Count, MPI_Aint)
#endif
