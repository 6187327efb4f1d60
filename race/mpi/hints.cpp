// Reads the hints of a communicator when the program gives them.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/mpi/hints.hpp"

#include <string_view>

#include "race/mpi/messages.hpp"
#include "race/mpi/operations.hpp"
#include "race/mpi/ranks.hpp"

namespace atrium::race {
namespace {

bool lets_overtake(MPI_Info info) {
  char value[8] = "";
  int has = 0;
  if (info == MPI_INFO_NULL) return false;
  PMPI_Info_get(info, "mpi_assert_allow_overtaking", sizeof value - 1, value, &has);
  return has && std::string_view(value) == "true";
}

}  // namespace

void follow_hints(const MpiCall& call) {
  const bool is_given = lets_overtake(call.info);
  if (call.kind == OrderKind::hints) {
    if (is_given) ranks_of(call.comm)->lets_overtake = true;
  } else if (call.made_comm) {
    const RanksHere* const parent = call.operation ? call.operation->group.get() : nullptr;
    const Ranks made = ranks_of(*call.made_comm);
    if (made && (is_given || (parent && parent->lets_overtake))) made->lets_overtake = true;
  } else if (is_given && call.timing == CallTiming::later) {  // MPI_Comm_idup_with_info: it is not made yet
    stop_counting(RaceLimit::overtaking);
  }
}

}  // namespace atrium::race
