// Tells the report which call has met a limit.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/mpi/limits.hpp"

#include "race/model/limit.hpp"
#include "race/model/site.hpp"

namespace atrium::race {
namespace {

thread_local const MpiCall* call_here = nullptr;

}  // namespace

InCall::InCall(const MpiCall& call) : outer_(call_here) { call_here = &call; }
InCall::~InCall() { call_here = outer_; }

Origin origin_of(const MpiCall& call) {
  const auto routine = static_cast<Routine>(static_cast<unsigned>(Routine::first_own) + call.routine);
  return origin_of(Site{routine, call.caller}, 0);
}

void meet(RaceLimit limit) {
  note_limit(static_cast<unsigned>(limit), call_here ? origin_of(*call_here) : Origin());
}

}  // namespace atrium::race
