// Chooses how many leaders per node work on large data: ATRIUM_LEADERS or a default by the CPUs.
// SPDX-License-Identifier: BSD-3-Clause
#include "team/leader_count.hpp"

#include <algorithm>
#include <climits>

#include "core/settings.hpp"

namespace atrium {
namespace {

// More move data at the same time than a network card takes; and those that share a CPU wait for each other
// (docs/measurements/collectives.md, Between nodes).
constexpr int most_by_rule = 4;

int most = most_by_rule;

}  // namespace

Result<void> choose_leader_count(int cpus_of_node) {
  Result<long> wanted = number_setting("ATRIUM_LEADERS");
  if (!wanted) return wanted.error();
  most = *wanted > 0 ? static_cast<int>(std::min<long>(*wanted, INT_MAX))
                     : std::clamp(cpus_of_node, 1, most_by_rule);
  return {};
}

int leaders_of(const TeamNodes& nodes) { return std::min(nodes.most_leaders(), most); }

}  // namespace atrium
