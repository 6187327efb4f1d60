// The C entry points that make persistent all-to-alls, among all ranks and among neighbours.
// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>

#include "exchange/arguments.hpp"
#include "interpose/entry.hpp"
#include "interpose/looks.hpp"
#include "persistent/init.hpp"

using namespace atrium::mpi;

namespace {

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
  const RequestRoutine entries[] = {ATRIUM_NAMED(MPI_Start),
                                    ATRIUM_NAMED(MPI_Startall),
                                    ATRIUM_NAMED(MPI_Wait),
                                    ATRIUM_NAMED(MPI_Waitall),
                                    ATRIUM_NAMED(MPI_Waitany),
                                    ATRIUM_NAMED(MPI_Waitsome),
                                    ATRIUM_NAMED(MPI_Test),
                                    ATRIUM_NAMED(MPI_Testall),
                                    ATRIUM_NAMED(MPI_Testany),
                                    ATRIUM_NAMED(MPI_Testsome),
                                    ATRIUM_NAMED(MPI_Request_free),
                                    ATRIUM_NAMED(MPI_Request_get_status),
                                    ATRIUM_NAMED(MPI_Request_get_status_all),
                                    ATRIUM_NAMED(MPI_Request_get_status_any),
                                    ATRIUM_NAMED(MPI_Request_get_status_some)};
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

int init(Whom whom, const Exchange& exchange, MPI_Info info, MPI_Request* request) {
  return init_exchange(whom, completes_requests(), exchange, info, request);
}

}  // namespace

// `Count` and `Displacement` are those of the arguments; alltoallw among neighbours has MPI_Aint in either case.
#define ATRIUM_EQUAL_INIT(name, whom, Count)                                        \
  ATRIUM_ENTRY int name(ATRIUM_EQUAL(Count), MPI_Info info, MPI_Request* request) { \
    return init(whom, ATRIUM_EQUAL_EXCHANGE, info, request);                        \
  }
#define ATRIUM_VARYING_INIT(name, whom, Count, Displacement)                                        \
  ATRIUM_ENTRY int name(ATRIUM_VARYING(Count, Displacement), MPI_Info info, MPI_Request* request) { \
    return init(whom, ATRIUM_VARYING_EXCHANGE, info, request);                                      \
  }
#define ATRIUM_MIXED_INIT(name, whom, Count, Displacement)                                        \
  ATRIUM_ENTRY int name(ATRIUM_MIXED(Count, Displacement), MPI_Info info, MPI_Request* request) { \
    return init(whom, ATRIUM_MIXED_EXCHANGE, info, request);                                      \
  }
#define ATRIUM_ALL_INIT(prefix)                                                     \
  ATRIUM_EQUAL_INIT(prefix##_Alltoall_init, Whom::all, int)                         \
  ATRIUM_VARYING_INIT(prefix##_Alltoallv_init, Whom::all, int, int)                 \
  ATRIUM_MIXED_INIT(prefix##_Alltoallw_init, Whom::all, int, int)                   \
  ATRIUM_EQUAL_INIT(prefix##_Neighbor_alltoall_init, Whom::neighbours, int)         \
  ATRIUM_VARYING_INIT(prefix##_Neighbor_alltoallv_init, Whom::neighbours, int, int) \
  ATRIUM_MIXED_INIT(prefix##_Neighbor_alltoallw_init, Whom::neighbours, int, MPI_Aint)

ATRIUM_ALL_INIT(MPI)
#ifdef OPEN_MPI
ATRIUM_ALL_INIT(MPIX)  // what Open MPI 4.1 calls them
#endif

#if MPI_VERSION >= 4
ATRIUM_EQUAL_INIT(MPI_Alltoall_init_c, Whom::all, MPI_Count)
ATRIUM_VARYING_INIT(MPI_Alltoallv_init_c, Whom::all, MPI_Count, MPI_Aint)
ATRIUM_MIXED_INIT(MPI_Alltoallw_init_c, Whom::all, MPI_Count, MPI_Aint)
ATRIUM_EQUAL_INIT(MPI_Neighbor_alltoall_init_c, Whom::neighbours, MPI_Count)
ATRIUM_VARYING_INIT(MPI_Neighbor_alltoallv_init_c, Whom::neighbours, MPI_Count, MPI_Aint)
ATRIUM_MIXED_INIT(MPI_Neighbor_alltoallw_init_c, Whom::neighbours, MPI_Count, MPI_Aint)
#endif
