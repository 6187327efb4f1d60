// What the steps of all kinds of calls have in common.
// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/run.hpp"

#include <algorithm>
#include <array>

namespace atrium::mpi {

int raise(MPI_Comm comm, int error) {
  if (error != MPI_SUCCESS) PMPI_Comm_call_errhandler(comm, error);
  return error;
}

// Without memory, which another size may have asked more of than there was, nothing can be agreed on.
NextStep agree_on_times(CommState& state) {
  Chooser& chooser = state.chooser();
  if (!state.has_buffer()) return chooser.agreed_on_nothing();
  Bursts bursts = chooser.measured();
  const Findings mine = chooser.findings(state.experience_of_shape());
  std::array<double, offers> values{};
  const auto findings = std::copy_n(bursts.cost.begin(), bursts.count, values.begin());
  findings[0] = mine.mpi, findings[1] = mine.own;
  state.agree(values.data(), bursts.count + 2);
  std::copy_n(values.begin(), bursts.count, bursts.cost.begin());
  const NextStep step = chooser.agreed(bursts, {findings[0] > 0, findings[1] > 0});
  state.share_experience();
  return step;
}

}  // namespace atrium::mpi
