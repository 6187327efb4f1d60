// MPI_Alltoall, MPI_Alltoallv and MPI_Alltoallw, as the chooser's steps have them.
// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/between_nodes.hpp"
#include "exchange/exchange.hpp"
#include "exchange/on_node.hpp"
#include "exchange/reading.hpp"
#include "exchange/run.hpp"

namespace atrium::mpi {
namespace {

// Before memory is looked for. What is too large to be copied can still be read.
bool choose_to_read(CommState& state, const Exchange& exchange, std::size_t share) {
  Chooser& chooser = state.chooser();
  if (chooser.reads() || !may_read(state, exchange)) return chooser.reads();
  if (!chooser.chooses_to_read() && !state.affords(share)) chooser.has_to_read();
  return chooser.reads();
}

class EqualBlocks : public Collective {
 public:
  EqualBlocks(const Exchange& exchange, std::size_t bytes) : exchange_(exchange), bytes_(bytes) {}

  int call_mpi() const { return atrium::mpi::call_mpi(exchange_); }
  bool prepare(CommState& state) const {
    if (bytes_ > largest_block || !state.find_nodes()) return false;
    return choose_to_read(state, exchange_, share(state)) ? state.prepare(share_for_reading(state))
                                                          : state.prepare(share(state));
  }
  CallOutcome exchange(CommState& state) const {
    if (state.chooser().reads()) return exchange_by_reading(state, exchange_);
    return state.on_one_node() ? exchange_uniform_on_node(state, exchange_, bytes_)
                               : exchange_uniform_between_nodes(state, exchange_, bytes_);
  }

 private:
  std::size_t share(const CommState& state) const {
    return state.on_one_node() ? bytes_ * state.size() : share_for_uniform_between_nodes(state, bytes_);
  }

  const Exchange& exchange_;
  std::size_t bytes_;
};

class DifferentBlocks : public Collective {
 public:
  explicit DifferentBlocks(const Exchange& exchange) : exchange_(exchange) {}

  int call_mpi() const { return atrium::mpi::call_mpi(exchange_); }
  bool prepare(CommState& state) const {
    const std::size_t need = state.chooser().need();
    return state.prepare(choose_to_read(state, exchange_, need) ? share_for_reading(state) : need);
  }
  CallOutcome exchange(CommState& state) const {
    if (!state.on_one_node()) return exchange_varying_between_nodes(state, exchange_);
    const bool with_data = state.chooser().sends_data(0);
    if (with_data && choose_to_read(state, exchange_, 0))
      return {offer_to_readers(state, exchange_), MPI_SUCCESS};
    return {offer_varying_on_node(state, exchange_, with_data), MPI_SUCCESS};
  }
  CallOutcome take(CommState& state) const {
    if (state.chooser().reads()) return read_from_others(state, exchange_);
    return {{}, take_varying_on_node(state, exchange_)};
  }
  CallHeader ask(CommState& state) const {
    return state.on_one_node() ? offer_varying_on_node(state, exchange_, false)
                               : exchange_varying_between_nodes(state, exchange_).strongest;
  }

 private:
  const Exchange& exchange_;
};

int run_equal(CommState& state, const Exchange& exchange) {
  const Side& from = sending_side(exchange);
  const std::size_t bytes = describe(from.type).size * from.count;
  if (bytes == 0) return call_mpi(exchange);
  return run_uniform(state, EqualBlocks(exchange, bytes), bytes, bytes * state.size(), equal_blocks);
}

// For the report alone: to add up the sizes asks the MPI about each type of MPI_Alltoallw.
std::size_t reported_bytes(const CommState& state, const Exchange& exchange) {
  const bool is_reported = state.settings().report || my_settings().report;
  return is_reported ? Blocks(sending_side(exchange)).total(state.size()) : 0;
}

int run_varying(CommState& state, const Exchange& exchange) {
  const std::size_t total = reported_bytes(state, exchange);
  if (state.chooser().leaves_varying_to_mpi(total)) return call_mpi(exchange);
  return carry_out(state, DifferentBlocks(exchange), state.chooser().begin_varying(total));
}

}  // namespace

int alltoall(const Exchange& exchange) {
  CommState* state = state_for_call(exchange.comm, [&](int peers) { return is_refused(exchange, peers); });
  if (!state || state->settings().alltoall == Mode::never) return call_mpi(exchange);
  return exchange.routine == AlltoallRoutine::alltoall ? run_equal(*state, exchange)
                                                       : run_varying(*state, exchange);
}

}  // namespace atrium::mpi
