// Calls PMPI_Alltoall_init and its like, under whichever name this MPI has them.
// SPDX-License-Identifier: BSD-3-Clause
//
// MPI 4 has them. Open MPI 4.1 has them as an extension, PMPIX_Alltoall_init. The library that is built with it serves Open MPI 5
// as well, so which of the two names there is, is known only when it runs.
#include "persistent/mpi_init.hpp"

#if MPI_VERSION < 4
#define ATRIUM_EQUAL \
  const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*
#define ATRIUM_VARYING                                                                                      \
  const void*, const int*, const int*, MPI_Datatype, void*, const int*, const int*, MPI_Datatype, MPI_Comm, \
      MPI_Info, MPI_Request*
#define ATRIUM_MIXED(Displacement)                                                                           \
  const void*, const int*, const Displacement*, const MPI_Datatype*, void*, const int*, const Displacement*, \
      const MPI_Datatype*, MPI_Comm, MPI_Info, MPI_Request*
#define ATRIUM_DECLARE(name, ...)                                \
  extern "C" int PMPI_##name(__VA_ARGS__) __attribute__((weak)); \
  extern "C" int PMPIX_##name(__VA_ARGS__) __attribute__((weak))
ATRIUM_DECLARE(Alltoall_init, ATRIUM_EQUAL);
ATRIUM_DECLARE(Alltoallv_init, ATRIUM_VARYING);
ATRIUM_DECLARE(Alltoallw_init, ATRIUM_MIXED(int));
ATRIUM_DECLARE(Neighbor_alltoall_init, ATRIUM_EQUAL);
ATRIUM_DECLARE(Neighbor_alltoallv_init, ATRIUM_VARYING);
ATRIUM_DECLARE(Neighbor_alltoallw_init, ATRIUM_MIXED(MPI_Aint));
#define ATRIUM_FUNCTION(name) (PMPI_##name ? PMPI_##name : PMPIX_##name)
#else
#define ATRIUM_FUNCTION(name) PMPI_##name
#endif

namespace atrium::mpi {
namespace {

template <class Function, class... Arguments>
int call(Function* function, Arguments... arguments) {
  return function ? function(arguments...) : MPI_ERR_OTHER;
}

int init_equal(Whom whom, const Exchange& exchange, MPI_Info info, MPI_Request* request) {
  const Side &send = exchange.send, &receive = exchange.receive;
  auto* const init =
      whom == Whom::all ? ATRIUM_FUNCTION(Alltoall_init) : ATRIUM_FUNCTION(Neighbor_alltoall_init);
  return call(init, send.buffer, static_cast<int>(send.count), send.type, receive.buffer,
              static_cast<int>(receive.count), receive.type, exchange.comm, info, request);
}

int init_varying(Whom whom, const Exchange& exchange, MPI_Info info, MPI_Request* request) {
  const Side &send = exchange.send, &receive = exchange.receive;
  auto* const init =
      whom == Whom::all ? ATRIUM_FUNCTION(Alltoallv_init) : ATRIUM_FUNCTION(Neighbor_alltoallv_init);
  return call(init, send.buffer, send.counts.as<int>(), send.displacements.as<int>(), send.type,
              receive.buffer, receive.counts.as<int>(), receive.displacements.as<int>(), receive.type,
              exchange.comm, info, request);
}

// Displacements are int among all ranks and MPI_Aint among neighbours.
int init_mixed(Whom whom, const Exchange& exchange, MPI_Info info, MPI_Request* request) {
  const Side &send = exchange.send, &receive = exchange.receive;
  if (whom == Whom::neighbours)
    return call(ATRIUM_FUNCTION(Neighbor_alltoallw_init), send.buffer, send.counts.as<int>(),
                send.displacements.as<MPI_Aint>(), send.types, receive.buffer, receive.counts.as<int>(),
                receive.displacements.as<MPI_Aint>(), receive.types, exchange.comm, info, request);
  return call(ATRIUM_FUNCTION(Alltoallw_init), send.buffer, send.counts.as<int>(),
              send.displacements.as<int>(), send.types, receive.buffer, receive.counts.as<int>(),
              receive.displacements.as<int>(), receive.types, exchange.comm, info, request);
}

#if MPI_VERSION >= 4
int init_large(Whom whom, const Exchange& exchange, MPI_Info info, MPI_Request* request) {
  const Side &send = exchange.send, &receive = exchange.receive;
  const auto *out = send.counts.as<MPI_Count>(), *in = receive.counts.as<MPI_Count>();
  const auto *from = send.displacements.as<MPI_Aint>(), *to = receive.displacements.as<MPI_Aint>();
  if (exchange.routine == AlltoallRoutine::alltoall)
    return call(whom == Whom::all ? PMPI_Alltoall_init_c : PMPI_Neighbor_alltoall_init_c, send.buffer,
                MPI_Count(send.count), send.type, receive.buffer, MPI_Count(receive.count), receive.type,
                exchange.comm, info, request);
  if (exchange.routine == AlltoallRoutine::alltoallv)
    return call(whom == Whom::all ? PMPI_Alltoallv_init_c : PMPI_Neighbor_alltoallv_init_c, send.buffer, out,
                from, send.type, receive.buffer, in, to, receive.type, exchange.comm, info, request);
  return call(whom == Whom::all ? PMPI_Alltoallw_init_c : PMPI_Neighbor_alltoallw_init_c, send.buffer, out,
              from, send.types, receive.buffer, in, to, receive.types, exchange.comm, info, request);
}
#endif

}  // namespace

int init_by_mpi(Whom whom, const Exchange& exchange, MPI_Info info, MPI_Request* request) {
#if MPI_VERSION >= 4
  if (exchange.has_large_counts()) return init_large(whom, exchange, info, request);
#endif
  if (exchange.routine == AlltoallRoutine::alltoall) return init_equal(whom, exchange, info, request);
  if (exchange.routine == AlltoallRoutine::alltoallv) return init_varying(whom, exchange, info, request);
  return init_mixed(whom, exchange, info, request);
}

}  // namespace atrium::mpi
