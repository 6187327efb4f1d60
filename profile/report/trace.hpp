// The time line: every call that the pages still hold, in the format of Chrome's tracing page, which Perfetto opens.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "profile/report/places.hpp"

namespace atrium::profile {

struct TraceOutcome {
  bool written = false;   // else errno says why
  bool supported = true;  // false: built without the library for JSON
  uint64_t events = 0, dropped = 0, flows = 0;
};

TraceOutcome write_trace(const std::string& path, const std::string& program, const Sheet& sheet,
                         const Scale& scale, Places& places);

}  // namespace atrium::profile
