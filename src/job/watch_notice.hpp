// What a node publishes while it joins the job, for the watch between nodes, which begins at once.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace atrium {

struct WatchNotice {
  uint64_t secret = 0;  // of the job; node 0's counts
  std::string host;
  std::vector<std::string> networks;  // "10.77.0.1/24" that this host is in
  std::vector<std::string> names;     // of its NodeWatch in each of them

  std::string text() const;
  // Any text; what makes no sense leaves out the rest.
  static WatchNotice read(const std::string& text);
};

// The name of each node's watch in the first network that all hosts share; nothing where there is none.
std::vector<std::string> names_in_common(const std::vector<WatchNotice>& nodes);

}  // namespace atrium
