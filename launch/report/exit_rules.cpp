// The rules by which the end of one PE ends the job or not, one line for each case.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/report/exit_rules.hpp"

#include <sys/wait.h>

namespace atrium {

Ending ending_of(int status) {
  return {WIFSIGNALED(status), WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status)};
}

Verdict verdict_on(Ending ending, PeState state) {
  if (ending.by_signal) return Verdict::failed;
  // After shmem_finalize no PE waits for this one, whatever it returns: the others may finish.
  if (ending.code != 0) return state == PeState::left ? Verdict::undecided : Verdict::failed;
  if (state == PeState::explained) return Verdict::failed;  // a script that hides its program's status
  return state == PeState::running ? Verdict::undecided : Verdict::fine;
}

}  // namespace atrium
