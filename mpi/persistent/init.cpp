// Decides, with all ranks, whether starts of a new persistent request may go our way.
// SPDX-License-Identifier: BSD-3-Clause
#include "persistent/init.hpp"

#include <memory>
#include <utility>

#include "cache/cache.hpp"
#include "exchange/run.hpp"
#include "persistent/managed.hpp"
#include "persistent/mpi_init.hpp"
#include "persistent/request.hpp"
#include "report/report.hpp"
#include "segment/segment.hpp"

namespace atrium::mpi {
namespace {

// The state is made like that of any exchange, and every rank of the communicator makes it.
std::shared_ptr<CommState> state_for(MPI_Comm comm) {
  CommState* state = state_for_call(comm, [](int) { return false; });
  if (!state) return nullptr;
  state->settle();
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
