// Reports the leaks of all PEs. Leaks that all PEs have alike are reported once.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/leak_report.hpp"

#include <cstdio>
#include <string>

#include "check/leaks.hpp"
#include "memory/vote.hpp"
#include "team/same_call.hpp"
#include "team/world.hpp"
#include "topology/placement.hpp"

namespace atrium {

void report_leaks() {
  const bool like_first = is_said_by_first_at_end(world_team, fingerprint_of_leaks());
  const bool all_alike = all_agree(like_first);
  if (placement.me() == 0 || !like_first)
    std::fputs(describe_leaks(all_alike ? "" : "PE " + std::to_string(placement.me()) + ": ").c_str(),
               stderr);
  forget_all_made();
}

}  // namespace atrium
