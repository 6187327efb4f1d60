// The time line: every call that the pages still hold, as JSON in the format of Chrome's tracing page, which Perfetto opens,
// or as an OTF2 archive, which Vampir and otf2-print open.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profile/report/places.hpp"

namespace atrium::profile {

struct TraceRequest {
  std::string path;  // NAME.otf2: an archive of that name, which is a folder; else a file of JSON
  std::string program, host;
  std::vector<int> node_of;  // each PE
};

// Why a trace cannot be written, and what to try.
struct TraceProblem {
  std::string because, remedy;
};

struct TraceOutcome {
  std::optional<TraceProblem> problem;  // none: all of it is written
  std::string opens;                    // the file that a viewer opens
  uint64_t events = 0, dropped = 0, flows = 0;
};

// What is missing on this machine for a trace of that name. It is opened, so that it is still there when the job has ended.
std::optional<TraceProblem> missing_for_trace(const std::string& path);
// Why a trace of that name could not be written when the job has ended, or would replace what is no trace.
std::optional<TraceProblem> hindrance_to_trace(const std::string& path);

TraceOutcome write_trace(const TraceRequest& request, const RecordBuffer& buffer, const Scale& scale,
                         Places& places);

}  // namespace atrium::profile
