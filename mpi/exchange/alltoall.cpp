// MPI_Alltoall, MPI_Alltoallv and MPI_Alltoallw, as the chooser's steps have them.
// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/between_nodes.hpp"
#include "exchange/exchange.hpp"
#include "exchange/on_node.hpp"
#include "exchange/run.hpp"

namespace atrium::mpi {
namespace {

class EqualBlocks : public Collective {
 public:
  EqualBlocks(const Exchange& exchange, std::size_t bytes) : exchange_(exchange), bytes_(bytes) {}

  int call_mpi() const { return atrium::mpi::call_mpi(exchange_); }
  bool prepare(CommState& state) const {
    return bytes_ <= largest_block && state.find_nodes() &&
           state.prepare(state.on_one_node() ? share_for_uniform(state, bytes_)
                                             : share_for_uniform_between_nodes(state, bytes_));
  }
  Outcome exchange(CommState& state) const {
    return state.on_one_node() ? exchange_uniform_on_node(state, exchange_, bytes_)
                               : exchange_uniform_between_nodes(state, exchange_, bytes_);
  }

 private:
  const Exchange& exchange_;
  std::size_t bytes_;
};

class DifferentBlocks : public Collective {
 public:
  explicit DifferentBlocks(const Exchange& exchange) : exchange_(exchange) {}

  int call_mpi() const { return atrium::mpi::call_mpi(exchange_); }
  static bool prepare(CommState& state) { return state.prepare(state.chooser().need()); }
  Outcome exchange(CommState& state) const {
    if (!state.on_one_node()) return exchange_varying_between_nodes(state, exchange_);
    return {offer_varying_on_node(state, exchange_, state.chooser().sends_data(0)), MPI_SUCCESS};
  }
  int take(CommState& state) const { return take_varying_on_node(state, exchange_); }
  CallHeader ask(CommState& state) const {
    return exchange_varying_between_nodes(state, exchange_).strongest;
  }

 private:
  const Exchange& exchange_;
};

int run_uniform(CommState& state, const Exchange& exchange) {
  const Side& from = sending_side(exchange);
  const std::size_t bytes = describe(from.type).size * from.count;
  if (bytes == 0) return call_mpi(exchange);
  return Run(state, EqualBlocks(exchange, bytes))
      .from(state.chooser().begin_uniform(bytes, bytes * state.size()));
}

int run_varying(CommState& state, const Exchange& exchange) {
  const std::size_t total = Blocks(sending_side(exchange)).total(state.size());
  return Run(state, DifferentBlocks(exchange)).from(state.chooser().begin_varying(total));
}

}  // namespace

int alltoall(const Exchange& exchange) {
  CommState* state = state_for_call(exchange.comm, [&](int peers) { return is_refused(exchange, peers); });
  if (!state || state->settings().alltoall == Mode::never) return call_mpi(exchange);
  return exchange.routine == Routine::alltoall ? run_uniform(*state, exchange)
                                               : run_varying(*state, exchange);
}

}  // namespace atrium::mpi
