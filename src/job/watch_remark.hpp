// What a node tells while it joins the job, for the watch that begins at once.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace atrium {

struct WatchRemark {
  uint64_t secret = 0;  // of the job; node 0's counts
  std::string host;
  std::vector<std::string> networks;  // "10.77.0.1/24" that this host is in
  std::vector<std::string> names;     // of its NodeWatch in each of them

  std::string text() const;
  // Any text; what makes no sense leaves out the rest.
  static WatchRemark read(const std::string& text);
};

// The name of each node's watch in the first network that all are in; nothing where there is none.
std::vector<std::string> names_in_common(const std::vector<WatchRemark>& nodes);

}  // namespace atrium
