// The number of leaders.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/steps/leader_count.hpp"

#include <algorithm>
#include <climits>

#include "core/settings.hpp"

namespace atrium {
namespace {

constexpr int by_rule = 4;

int most = by_rule;

}  // namespace

Result<void> choose_leader_count() {
  Result<long> wanted = number_setting("ATRIUM_LEADERS");
  if (!wanted) return wanted.error();
  most = *wanted > 0 ? static_cast<int>(std::min<long>(*wanted, INT_MAX)) : by_rule;
  return {};
}

int leaders_of(const TeamNodes& nodes) { return std::min(nodes.most_leaders(), most); }

}  // namespace atrium
