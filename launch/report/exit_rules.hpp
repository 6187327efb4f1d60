// What the end of one PE means for the job.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "lobby/lobby.hpp"

namespace atrium {

struct Ending {
  bool by_signal;
  int code;  // exit status, or signal number

  // As shells count.
  int status() const { return by_signal ? 128 + code : code; }
};

// `status`: as waitpid has it.
Ending ending_of(int status);

enum class Verdict {
  fine,
  undecided,  // an error if others are still at work in a moment, not if all of them end
  failed,     // the others must end now
};

Verdict verdict_on(Ending ending, PeState state);

}  // namespace atrium
