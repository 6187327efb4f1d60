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

// Carries out a step of a call and all that follow from it. Answers the MPI's return code. Not inlined, so that a call that is left
// to the MPI at once saves no registers for it.
template <class Call>
[[gnu::noinline]] int carry_out(CommState& state, const Call& call, NextStep step) {
  Chooser& chooser = state.chooser();
  int error = MPI_SUCCESS;
  // An error counts where our way is the end of it.
  const auto heed = [&](const CallOutcome& outcome) {
    if (outcome.strongest.verdict == CallVerdict::go) error = raise(state.comm(), outcome.error);
    return outcome.strongest;
  };
  const auto next = [&] {
    switch (step) {
      case NextStep::call_mpi:
        error = call.call_mpi();
        return chooser.called_mpi();
      case NextStep::find_nodes: {
        const bool found = state.find_nodes() && state.prepare(1);
        return chooser.found_nodes(found, state.on_one_node());
      }
      case NextStep::grow:
        return chooser.grown(call.prepare(state));
      case NextStep::exchange:
        return chooser.exchanged(heed(call.exchange(state)));
      case NextStep::take:
        return chooser.taken(heed(call.take(state)).verdict);
      case NextStep::ask:
        return chooser.asked(call.ask(state));
      case NextStep::agree:
        return agree_on_times(state);
      default:
        return NextStep::done;
    }
  };
  while (step != NextStep::done) step = next();
  return error;
}

// A call of blocks, or of data, that is of one size on all ranks. `total`: what this rank sends.
template <class Call>
int run_uniform(CommState& state, const Call& call, std::size_t bytes, std::size_t total, CallKind kind) {
  Chooser& chooser = state.chooser();
  if (chooser.leaves_to_mpi(bytes, total, kind)) return call.call_mpi();
  return carry_out(state, call, chooser.begin_uniform(bytes, total, kind));
}

// The state of the communicator of a call that may go our way; null where the MPI's routine has to run.
// `is_refused(peers)`: whether the MPI is certain to refuse the arguments. What it refuses on this rank must not begin a
// step for which it would wait for the others, and making a state is one. MPI_COMM_SELF has none: MPI_Finalize deletes its attributes
// while the program's may still use it.
template <class IsRefused>
CommState* find_state_for_call(MPI_Comm comm, IsRefused is_refused) {
  if (comm == MPI_COMM_NULL || comm == MPI_COMM_SELF) return nullptr;
  CommState* state = find_state(comm);
  if (state && state->is_bypassed()) return nullptr;
  const int peers = state ? state->size() : count_peers(comm);
  if (peers == 0 || is_refused(peers)) return nullptr;
  if (!state) state = make_state(comm, peers);
  return state && !state->is_bypassed() ? state : nullptr;
}

// The same with the settings that hold. Requires: all ranks ask for it in this call, if the MPI refuses nothing.
template <class IsRefused>
CommState* state_for_call(MPI_Comm comm, IsRefused is_refused) {
  CommState* state = find_state_for_call(comm, is_refused);
  if (state && state->has_to_settle()) settle(*state);
  return state;
}

}  // namespace atrium::mpi
