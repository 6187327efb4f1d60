// Carries out what the chooser says, step by step, for each call that the entry points hand over.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>

#include "cache/cache.hpp"
#include "exchange/between_nodes.hpp"
#include "exchange/exchange.hpp"
#include "exchange/on_node.hpp"

namespace atrium::mpi {
namespace {

int raise(MPI_Comm comm, int error) {
  if (error != MPI_SUCCESS) PMPI_Comm_call_errhandler(comm, error);
  return error;
}

// One call. `block_bytes`: of all blocks, or 0 where they differ.
class Run {
 public:
  Run(CommState& state, const Exchange& exchange, std::size_t block_bytes)
      : state_(state), exchange_(exchange), block_bytes_(block_bytes) {}

  // Answers the MPI's return code.
  int from(Step step) {
    while (step != Step::done) step = carry_out(step);
    return error_;
  }

 private:
  Step carry_out(Step step);
  Step call_the_mpi();
  Step find_nodes();
  Step grow();
  Step exchange_uniform();
  Step exchange_varying();
  Step take();
  Step agree();

  CommState& state_;
  const Exchange& exchange_;
  std::size_t block_bytes_;
  int error_ = MPI_SUCCESS;
};

Step Run::carry_out(Step step) {
  Chooser& chooser = state_.chooser();
  switch (step) {
    case Step::call_mpi:
      return call_the_mpi();
    case Step::find_nodes:
      return find_nodes();
    case Step::grow:
      return grow();
    case Step::exchange:
      return block_bytes_ ? exchange_uniform() : exchange_varying();
    case Step::take:
      return take();
    case Step::ask:
      return chooser.asked(exchange_varying_between_nodes(state_, exchange_).strongest);
    case Step::agree:
      return agree();
    case Step::done:
      break;
  }
  return Step::done;
}

Step Run::call_the_mpi() {
  error_ = call_mpi(exchange_);
  return state_.chooser().called_mpi();
}

Step Run::find_nodes() {
  const bool found = state_.find_nodes() && state_.prepare(1);
  return state_.chooser().found_nodes(found, state_.on_one_node());
}

Step Run::grow() {
  if (!block_bytes_) return state_.chooser().grown(state_.prepare(state_.chooser().need()));
  bool is_enough = block_bytes_ <= largest_block && state_.find_nodes();
  if (is_enough)
    is_enough = state_.prepare(state_.on_one_node() ? share_for_uniform(state_, block_bytes_)
                                                    : share_for_uniform_between_nodes(state_, block_bytes_));
  return state_.chooser().grown(is_enough);
}

Step Run::exchange_uniform() {
  const Outcome outcome = state_.on_one_node()
                              ? exchange_uniform_on_node(state_, exchange_, block_bytes_)
                              : exchange_uniform_between_nodes(state_, exchange_, block_bytes_);
  if (outcome.strongest.verdict == Verdict::go) error_ = raise(exchange_.comm, outcome.error);
  return state_.chooser().exchanged(outcome.strongest);
}

Step Run::exchange_varying() {
  Chooser& chooser = state_.chooser();
  if (state_.on_one_node())
    return chooser.exchanged(offer_varying_on_node(state_, exchange_, chooser.sends_data(0)));
  const Outcome outcome = exchange_varying_between_nodes(state_, exchange_);
  if (outcome.strongest.verdict == Verdict::go) error_ = raise(exchange_.comm, outcome.error);
  return chooser.exchanged(outcome.strongest);
}

Step Run::take() {
  error_ = raise(exchange_.comm, take_varying_on_node(state_, exchange_));
  return state_.chooser().taken();
}

// Without memory, which another size may have asked more of than there was, nothing can be agreed on.
Step Run::agree() {
  if (!state_.has_buffer()) return state_.chooser().agreed_on_nothing();
  Chooser& chooser = state_.chooser();
  Bursts bursts = chooser.measured();
  const Findings mine = chooser.findings(state_.experience_of_shape());
  std::array<double, offers> values{};
  const auto findings = std::copy_n(bursts.cost.begin(), bursts.count, values.begin());
  findings[0] = mine.mpi, findings[1] = mine.own;
  state_.agree(values.data(), bursts.count + 2);
  std::copy_n(values.begin(), bursts.count, bursts.cost.begin());
  const Step step = chooser.agreed(bursts, {findings[0] > 0, findings[1] > 0});
  state_.share_experience();
  return step;
}

int run_uniform(CommState& state, const Exchange& exchange) {
  const Side& from = sending_side(exchange);
  const std::size_t bytes = describe(from.type).size * from.count;
  if (bytes == 0) return call_mpi(exchange);
  return Run(state, exchange, bytes).from(state.chooser().begin_uniform(bytes, bytes * state.size()));
}

int run_varying(CommState& state, const Exchange& exchange) {
  const std::size_t total = Blocks(sending_side(exchange)).total(state.size());
  return Run(state, exchange, 0).from(state.chooser().begin_varying(total));
}

}  // namespace

// What the MPI refuses on this rank must not begin a step for which it would wait for the others, and making a
// state is one.
int alltoall(const Exchange& exchange) {
  if (exchange.comm == MPI_COMM_NULL) return call_mpi(exchange);
  CommState* state = find_state(exchange.comm);
  const int peers = state ? state->size() : count_peers(exchange.comm);
  if (peers == 0 || is_refused(exchange, peers)) return call_mpi(exchange);
  if (!state) state = make_state(exchange.comm);
  if (!state || state->is_bypassed() || state->settings().mode == Mode::never) return call_mpi(exchange);
  return exchange.routine == Routine::alltoall ? run_uniform(*state, exchange)
                                               : run_varying(*state, exchange);
}

}  // namespace atrium::mpi
