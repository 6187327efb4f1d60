// Carries out what the chooser says, step by step, for a call of any kind.
// SPDX-License-Identifier: BSD-3-Clause
//
// A kind of call is a class that derives from `Collective` and says what the steps mean for it.
#pragma once

#include <mpi.h>

#include "cache/cache.hpp"
#include "comm/comm_state.hpp"
#include "exchange/outcome.hpp"

namespace atrium::mpi {

// What a kind of call defines, and defaults of what most of them need not.
class Collective {
 public:
  // int call_mpi() const;                  the MPI's own routine; answers its code
  // bool prepare(CommState&) const;        finds the nodes, and memory for this call
  // CallOutcome exchange(CommState&) const;    our way
  static CallOutcome take(CommState&) { return {}; }
  static CallHeader ask(CommState&) { return {}; }
};

// Hands an error to the communicator's handler, and answers it.
int raise(MPI_Comm comm, int error);
// The ranks agree on the times of a trial.
NextStep agree_on_times(CommState& state);

template <class Call>
class CollectiveRun {
 public:
  CollectiveRun(CommState& state, const Call& call) : state_(state), call_(call) {}

  // Answers the MPI's return code.
  int from(NextStep step) {
    while (step != NextStep::done) step = carry_out(step);
    return error_;
  }

 private:
  NextStep carry_out(NextStep step);
  CallHeader heed(const CallOutcome& outcome);

  CommState& state_;
  const Call& call_;
  int error_ = MPI_SUCCESS;
};

template <class Call>
NextStep CollectiveRun<Call>::carry_out(NextStep step) {
  Chooser& chooser = state_.chooser();
  switch (step) {
    case NextStep::call_mpi:
      error_ = call_.call_mpi();
      return chooser.called_mpi();
    case NextStep::find_nodes: {
      const bool found = state_.find_nodes() && state_.prepare(1);
      return chooser.found_nodes(found, state_.on_one_node());
    }
    case NextStep::grow:
      return chooser.grown(call_.prepare(state_));
    case NextStep::exchange:
      return chooser.exchanged(heed(call_.exchange(state_)));
    case NextStep::take:
      return chooser.taken(heed(call_.take(state_)).verdict);
    case NextStep::ask:
      return chooser.asked(call_.ask(state_));
    case NextStep::agree:
      return agree_on_times(state_);
    case NextStep::done:
      break;
  }
  return NextStep::done;
}

// An error counts where our way is the end of it.
template <class Call>
CallHeader CollectiveRun<Call>::heed(const CallOutcome& outcome) {
  if (outcome.strongest.verdict == CallVerdict::go) error_ = raise(state_.comm(), outcome.error);
  return outcome.strongest;
}

// A call of blocks, or of data, that is of one size on all ranks. `total`: what this rank sends.
template <class Call>
int run_uniform(CommState& state, const Call& call, std::size_t bytes, std::size_t total, CallKind kind) {
  Chooser& chooser = state.chooser();
  if (chooser.leaves_to_mpi(bytes, total, kind)) return call.call_mpi();
  return CollectiveRun(state, call).from(chooser.begin_uniform(bytes, total, kind));
}

// The state of the communicator of a call that may go our way; null where the MPI's routine has to run.
// `is_refused(peers)`: whether the MPI is certain to refuse the arguments. What it refuses on this rank must not begin a
// step for which it would wait for the others, and making a state is one.
template <class IsRefused>
CommState* find_state_for_call(MPI_Comm comm, IsRefused is_refused) {
  if (comm == MPI_COMM_NULL) return nullptr;
  CommState* state = find_state(comm);
  const int peers = state ? state->size() : count_peers(comm);
  if (peers == 0 || is_refused(peers)) return nullptr;
  if (!state) state = make_state(comm);
  return state && !state->is_bypassed() ? state : nullptr;
}

// The same with the settings that hold. Requires: all ranks ask for it in this call, if the MPI refuses nothing.
template <class IsRefused>
CommState* state_for_call(MPI_Comm comm, IsRefused is_refused) {
  CommState* state = find_state_for_call(comm, is_refused);
  if (state && state->has_to_settle()) state->settle();
  return state;
}

}  // namespace atrium::mpi
