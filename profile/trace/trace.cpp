// Chooses the format by the suffix of the file's name.
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/trace/trace.hpp"

#include <cstring>
#include <string_view>

#include "profile/report/output_file.hpp"
#include "profile/trace/archive_folder.hpp"
#include "profile/trace/writers.hpp"

namespace atrium::profile {
namespace {

// A folder may be named with a slash behind it.
std::string without_slash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

bool is_archive(const std::string& path) {
  constexpr std::string_view end = ".otf2";
  return path.size() > end.size() && path.ends_with(end) && !path.ends_with("/.otf2");
}

}  // namespace

std::string anchor_of(const std::string& path) { return path + "/traces.otf2"; }

std::optional<TraceProblem> missing_for_trace(const std::string& path) {
  return is_archive(without_slash(path)) ? missing_for_otf2() : missing_for_json();
}

std::optional<TraceProblem> hindrance_to_trace(const std::string& path) {
  const std::string bare = without_slash(path);
  const bool archive = is_archive(bare);
  if (archive && holds_other_than_archive(bare)) return other_than_archive();
  if (!archive && holds_other_than_trace(path))
    return TraceProblem{"it holds something else than a trace",
                        "another name: the word behind --trace is the file's"};
  const int error = archive ? hindrance_to_folder(bare) : hindrance_to_file(path);
  if (error == 0) return {};
  return TraceProblem{std::strerror(error), "--trace=FILE with a name where there is room"};
}

TraceOutcome write_trace(const TraceRequest& request, const RecordBuffer& buffer, const Scale& scale,
                         Places& places) {
  TraceOutcome outcome;
  const TimeLine line(buffer, scale, places);
  for (int pe = 0; pe < buffer.pes(); ++pe) {
    const Kept kept = kept_events(buffer, pe);
    outcome.events += line.events_of(pe).size();
    outcome.dropped += kept.first;
  }
  const std::vector<Flow> flows = find_flows(line);
  outcome.flows = flows.size();
  TraceRequest asked = request;
  asked.path = without_slash(request.path);
  const bool archive = is_archive(asked.path);
  outcome.opens = archive ? anchor_of(asked.path) : request.path;
  outcome.problem = archive ? write_otf2(asked, line, flows) : write_json(request, line, flows);
  return outcome;
}

}  // namespace atrium::profile
