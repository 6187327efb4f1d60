// A clock and a setting.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/silence.hpp"

#include <algorithm>

#include "core/settings.hpp"

namespace atrium {

int silence_limit_s() {
  auto seconds = number_setting("ATRIUM_HOST_TIMEOUT");
  return seconds ? static_cast<int>(std::min(std::max(*seconds, 0L), 1L << 30)) : 0;
}

bool is_silent(const Link& link) {
  const int limit = silence_limit_s();
  return limit > 0 && !link.paused() &&
         std::chrono::steady_clock::now() - link.last_heard() > std::chrono::seconds(limit);
}

}  // namespace atrium
