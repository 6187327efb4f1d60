// Compares the time of the last frame from the other end of a link with ATRIUM_HOST_TIMEOUT.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/silence.hpp"

#include <algorithm>

#include "core/settings.hpp"

namespace atrium {

int silence_limit_s() {
  auto seconds = seconds_setting("ATRIUM_HOST_TIMEOUT");
  if (!seconds || *seconds == 0) return 0;
  // Something is said each second, and a little later where there is much to do.
  return static_cast<int>(std::clamp(whole_seconds_of(*seconds), 2U, 1U << 30));
}

bool is_silent(const HostLink& link, int limit_s) {
  return limit_s > 0 && !link.paused() &&
         std::chrono::steady_clock::now() - link.last_heard() > std::chrono::seconds(limit_s);
}

}  // namespace atrium
