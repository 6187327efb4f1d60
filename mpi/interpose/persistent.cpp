// The C entry points that make persistent all-to-alls, among all ranks and among neighbours.
// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>

#include "interpose/entry.hpp"
#include "interpose/sides.hpp"
#include "persistent/init.hpp"

namespace {

using namespace atrium::mpi;

struct RequestRoutine {
  const char* name;
  void* ours;
};

template <class Function>
RequestRoutine entry(const char* name, Function* ours) {
  return {name, reinterpret_cast<void*>(ours)};
}

#define ATRIUM_NAMED(name) entry(#name, name)

// As the dynamic linker finds them for the program and for every library.
bool all_come_first() {
  const RequestRoutine entries[] = {
      ATRIUM_NAMED(MPI_Start),    ATRIUM_NAMED(MPI_Startall),     ATRIUM_NAMED(MPI_Wait),
      ATRIUM_NAMED(MPI_Waitall),  ATRIUM_NAMED(MPI_Waitany),      ATRIUM_NAMED(MPI_Waitsome),
      ATRIUM_NAMED(MPI_Test),     ATRIUM_NAMED(MPI_Testall),      ATRIUM_NAMED(MPI_Testany),
      ATRIUM_NAMED(MPI_Testsome), ATRIUM_NAMED(MPI_Request_free), ATRIUM_NAMED(MPI_Request_get_status)};
  for (const auto& [name, ours] : entries)
    if (dlsym(RTLD_DEFAULT, name) != ours) return false;
  return true;
}

bool has_fortran() {
  for (const char* name : {"mpi_wait_", "mpi_wait", "MPI_WAIT", "mpi_wait__"})
    if (dlsym(RTLD_DEFAULT, name)) return true;
  return false;
}

// Every call of this process that starts, completes or frees a request comes to our entry points first (requests.cpp). Not so
// where a profiler has put its own in front of them, or where there are Fortran bindings, which call the MPI past us. Asked anew
// for each request: bindings may have been loaded meanwhile.
bool completes_requests() { return all_come_first() && !has_fortran(); }

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
