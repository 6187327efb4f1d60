// Makes the MPI's persistent request, and decides with all ranks whether its starts may go our way.
// SPDX-License-Identifier: BSD-3-Clause
#include "persistent/init.hpp"

#include <memory>
#include <utility>

#include "cache/cache.hpp"
#include "exchange/arguments.hpp"
#include "exchange/run.hpp"
#include "persistent/managed.hpp"
#include "persistent/request.hpp"
#include "report/report.hpp"
#include "segment/segment.hpp"

// MPI 4 has routines that make persistent all-to-alls. Open MPI 4.1 has them as an extension, PMPIX_Alltoall_init. The library that
// is built with it serves Open MPI 5 as well, so which of the two names there is, is known only when it runs.
#if MPI_VERSION < 4
#define ATRIUM_DECLARE(name, ...)                                                        \
  extern "C" int PMPI_##name(__VA_ARGS__, MPI_Info, MPI_Request*) __attribute__((weak)); \
  extern "C" int PMPIX_##name(__VA_ARGS__, MPI_Info, MPI_Request*) __attribute__((weak))
ATRIUM_DECLARE(Alltoall_init, ATRIUM_EQUAL(int));
ATRIUM_DECLARE(Alltoallv_init, ATRIUM_VARYING(int, int));
ATRIUM_DECLARE(Alltoallw_init, ATRIUM_MIXED(int, int));
ATRIUM_DECLARE(Neighbor_alltoall_init, ATRIUM_EQUAL(int));
ATRIUM_DECLARE(Neighbor_alltoallv_init, ATRIUM_VARYING(int, int));
ATRIUM_DECLARE(Neighbor_alltoallw_init, ATRIUM_MIXED(int, MPI_Aint));
#define ATRIUM_INIT(name)                                                                \
  (PMPI_##name || PMPIX_##name                                                           \
       ? call_routine(PMPI_##name ? PMPI_##name : PMPIX_##name, exchange, info, request) \
       : MPI_ERR_OTHER)
#else
#define ATRIUM_INIT(name)                                                               \
  (exchange.has_large_counts() ? call_routine(PMPI_##name##_c, exchange, info, request) \
                               : call_routine(PMPI_##name, exchange, info, request))
#endif

namespace atrium::mpi {
namespace {

// Answers MPI_ERR_OTHER where the MPI has no such routine.
int init_by_mpi(Whom whom, const Exchange& exchange, MPI_Info info, MPI_Request* request) {
  const bool all = whom == Whom::all;
  switch (exchange.routine) {
    case AlltoallRoutine::alltoall:
      return all ? ATRIUM_INIT(Alltoall_init) : ATRIUM_INIT(Neighbor_alltoall_init);
    case AlltoallRoutine::alltoallv:
      return all ? ATRIUM_INIT(Alltoallv_init) : ATRIUM_INIT(Neighbor_alltoallv_init);
    default:
      return all ? ATRIUM_INIT(Alltoallw_init) : ATRIUM_INIT(Neighbor_alltoallw_init);
  }
}

// The state is made like that of any exchange, and every rank of the communicator makes it.
std::shared_ptr<CommState> state_for(MPI_Comm comm) {
  CommState* state = state_for_call(comm, [](int) { return false; });
  if (!state) return nullptr;
  settle(*state);
  if (state->settings().alltoall == Mode::never) return nullptr;
  return share_state(comm);
}

std::unique_ptr<PersistentExchange> make(Whom whom, bool may_manage, const Exchange& exchange,
                                         MPI_Request handle) {
  std::shared_ptr<CommState> state = state_for(exchange.comm);
  if (!state || !all_of(exchange.comm, may_manage)) return nullptr;
  const Partners partners = whom == Whom::all ? all_ranks(state->size()) : neighbours_in(exchange.comm);
  return PersistentExchange::make(std::move(state), exchange, partners, handle);
}

}  // namespace

// The MPI's request comes first: it checks the arguments, and it can always be started.
int init_exchange(Whom whom, bool may_manage, const Exchange& exchange, MPI_Info info, MPI_Request* request) {
  const int error = init_by_mpi(whom, exchange, info, request);
  if (error != MPI_SUCCESS) return error;
  std::unique_ptr<PersistentExchange> ours = make(whom, may_manage, exchange, *request);
  ++(ours ? started_tally().own_requests : started_tally().mpi_requests);
  if (ours) manage(*request, std::move(ours));
  return MPI_SUCCESS;
}

}  // namespace atrium::mpi
