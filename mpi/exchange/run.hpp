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

// What a kind of call has to say, and what most of them need not.
class Collective {
 public:
  // int call_mpi() const;                  the MPI's own routine; answers its code
  // bool prepare(CommState&) const;        finds the nodes, and memory for this call
  // Outcome exchange(CommState&) const;    our way
  static Outcome take(CommState&) { return {}; }
  static CallHeader ask(CommState&) { return {}; }
};

// Hands an error to the communicator's handler, and answers it.
int raise(MPI_Comm comm, int error);
// The ranks agree on the times of a trial.
Step agree_on_times(CommState& state);

template <class Call>
class Run {
 public:
  Run(CommState& state, const Call& call) : state_(state), call_(call) {}

  // Answers the MPI's return code.
  int from(Step step) {
    while (step != Step::done) step = carry_out(step);
    return error_;
  }

 private:
  Step carry_out(Step step);
  CallHeader heed(const Outcome& outcome);

  CommState& state_;
  const Call& call_;
  int error_ = MPI_SUCCESS;
};

template <class Call>
Step Run<Call>::carry_out(Step step) {
  Chooser& chooser = state_.chooser();
  switch (step) {
    case Step::call_mpi:
      error_ = call_.call_mpi();
      return chooser.called_mpi();
    case Step::find_nodes: {
      const bool found = state_.find_nodes() && state_.prepare(1);
      return chooser.found_nodes(found, state_.on_one_node());
    }
    case Step::grow:
      return chooser.grown(call_.prepare(state_));
    case Step::exchange:
      return chooser.exchanged(heed(call_.exchange(state_)));
    case Step::take:
      return chooser.taken(heed(call_.take(state_)).verdict);
    case Step::ask:
      return chooser.asked(call_.ask(state_));
    case Step::agree:
      return agree_on_times(state_);
    case Step::done:
      break;
  }
  return Step::done;
}

// An error counts where our way is the end of it.
template <class Call>
CallHeader Run<Call>::heed(const Outcome& outcome) {
  if (outcome.strongest.verdict == Verdict::go) error_ = raise(state_.comm(), outcome.error);
  return outcome.strongest;
}

// The state of the communicator of a call that may go our way; null where the MPI's routine has to run.
// `is_refused(peers)`: whether the MPI is certain to refuse the arguments. What it refuses on this rank must not begin a
// step for which it would wait for the others, and making a state is one.
template <class IsRefused>
CommState* state_for_call(MPI_Comm comm, IsRefused is_refused) {
  if (comm == MPI_COMM_NULL) return nullptr;
  CommState* state = find_state(comm);
  const int peers = state ? state->size() : count_peers(comm);
  if (peers == 0 || is_refused(peers)) return nullptr;
  if (!state) state = make_state(comm);
  return state && !state->is_bypassed() ? state : nullptr;
}

}  // namespace atrium::mpi
