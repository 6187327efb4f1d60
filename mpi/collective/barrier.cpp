// A barrier: every rank arrives, and sees the others of its node arrive; its leader says when the other nodes have.
// SPDX-License-Identifier: BSD-3-Clause
#include "collective/collective.hpp"
#include "collective/leader.hpp"
#include "exchange/run.hpp"

namespace atrium::mpi {
namespace {

class Barrier : public Collective {
 public:
  explicit Barrier(MPI_Comm comm) : comm_(comm) {}

  int call_mpi() const { return PMPI_Barrier(comm_); }
  static bool prepare(CommState& state) { return state.find_nodes_of_one_leader() && state.prepare(1); }
  static CallOutcome exchange(CommState& state) {
    NodeBuffer& buffer = state.node_buffer();
    buffer.begin();
    buffer.arrive();
    if (!state.on_one_node())
      return {{}, through_leader(state, [&] { return PMPI_Barrier(state.leaders()); })};
    buffer.await_all();
    return {};
  }

 private:
  MPI_Comm comm_;
};

}  // namespace

int barrier(MPI_Comm comm) {
  const Barrier call(comm);
  CommState* state = state_for_call(comm, [](int) { return false; });
  if (!state || state->settings().barrier == Mode::never) return call.call_mpi();
  return run_uniform(*state, call, 0, 0, barriers);
}

}  // namespace atrium::mpi
