// Reads the records that PEs have left, and writes the profile and the trace that the user asked for.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/report/recording.hpp"

#include <cerrno>
#include <cstdio>
#include <ctime>
#include <utility>

#include "atrium_system.hpp"
#include "atrium_whole_file.hpp"
#include "atrium_words.hpp"
#include "core/log.hpp"
#include "launch/process/descriptors.hpp"
#include "profile/report/csv.hpp"
#include "profile/report/output_file.hpp"
#include "profile/report/page.hpp"
#include "profile/report/table.hpp"
#include "profile/report/words.hpp"
#include "profile/trace/ended_waits.hpp"
#include "profile/trace/trace.hpp"
#include "topology/cpus.hpp"

namespace atrium {
namespace {

constexpr size_t usual_trace_bytes = size_t{16} << 20;

std::string time_of_day() {
  const std::time_t now = std::time(nullptr);
  tm parts{};
  char text[64] = "";
  if (localtime_r(&now, &parts)) std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %Z", &parts);
  return text;
}

// As it was typed, but for quotation marks and what the shell has put in.
std::string own_command() {
  std::string words = read_small_file("/proc/self/cmdline");
  if (!words.empty()) words.pop_back();
  for (char& letter : words)
    if (letter == '\0') letter = ' ';
  return words;
}

Error cannot_trace(const std::string& path, const profile::TraceProblem& problem) {
  return {"cannot write '" + path + "'", problem.because, {}, problem.remedy};
}

Error cannot_profile_to(const std::string& path, const char* call) {
  return system_error("cannot write '" + path + "'", call)
      .try_this("--profile=NAME with a name where there is room");
}

std::string profile_name(const Options& options) {
  const std::string& name = options.recordings.name;
  return name.empty() ? file_name_of(options.command.front()) + ".profile" : name;
}

// Tried before the job starts, so that the user need not wait for its end to find the error.
Result<void> look_at_files(const Options& options) {
  const std::string& trace = options.recordings.trace;
  auto problem = trace.empty() ? std::nullopt : profile::missing_for_trace(trace);
  if (!trace.empty() && !problem) problem = profile::hindrance_to_trace(trace);
  if (problem) return cannot_trace(trace, *problem);
  for (const char* ending : {".html", ".csv"}) {
    if (!options.recordings.profile) break;
    const std::string path = profile_name(options) + ending;
    errno = profile::hindrance_to_file(path);
    if (errno != 0) return cannot_profile_to(path, "open");
  }
  return {};
}

}  // namespace

void Recording::Outcome::write(const std::string& path, const std::string& contents) {
  WholeFile file(path);
  file.write(contents);
  errno = file.close();
  failed = failed || errno != 0;
  text += errno == 0 ? "  written: " + path + "\n"
                     : format_error(cannot_profile_to(path, "write").while_doing(file.fate()));
}

void Recording::Outcome::write_trace(const profile::TraceRequest& request,
                                     const profile::RecordBuffer& buffer, const profile::Scale& scale,
                                     profile::Places& places) {
  const profile::TraceOutcome trace = profile::write_trace(request, buffer, scale, places);
  failed = failed || trace.problem;
  if (trace.problem)
    text += format_error(cannot_trace(request.path, *trace.problem));
  else
    text += "atrium: trace: " + with_commas(trace.events) + " events, " + with_commas(trace.flows) +
            " arrows from stores to the waits that they ended: " + trace.opens + "\n";
  if (trace.dropped != 0)
    text += "  " + with_commas(trace.dropped) +
            " earlier events had no room; try a larger --trace-size, or shmem_pcontrol around what matters\n";
}

void Recording::note_end(int pe, const std::string& how) {
  if (!buffer_) return;
  profile::Page& page = buffer_.page(pe);
  if (page.gone != 0) return;
  std::snprintf(page.ending, sizeof page.ending, "%s", how.c_str());
  page.gone = profile::read_ticks(buffer_.head().source);
}

std::string Recording::look(const profile::Screen& screen) {
  if (!top_) top_ = std::make_unique<profile::Top>(buffer_);
  return top_->look(screen);
}

Result<Recording> Recording::create(const Options& options, std::vector<int> node_of) {
  Recording recording;
  recording.node_of_ = std::move(node_of);
  if (!options.recordings.any()) return recording;
  if (auto possible = look_at_files(options); !possible) return possible.error();
  const int fd = profile::create_record_buffer(
      options.pes,
      options.recordings.trace.empty() ? 0 : options.recordings.trace_bytes.value_or(usual_trace_bytes));
  if (fd >= 0) recording.fd_ = move_up(fd);
  if (recording.fd_ >= 0) recording.buffer_ = profile::open_record_buffer(recording.fd_);
  if (recording.buffer_) return recording;
  const int reason = errno;
  return system_error("cannot make the memory for what is recorded",
                      reason == ENOSPC ? "fallocate" : "memfd_create")
      .try_this(reason == ENOSPC  ? "fewer PEs, a smaller --trace-size, or a larger /dev/shm"
                : reason == EFBIG ? "fewer PEs, or a larger limit on files (ulimit -f)"
                                  : "fewer PEs, or a larger limit on memory (ulimit -v)");
}

Recording::Outcome Recording::finish(const Options& options) const {
  if (!buffer_) return {};
  const std::string program = file_name_of(options.command.front());
  const profile::Head& head = buffer_.head();
  const profile::Scale scale(head.begin, profile::moment_now(head.source));
  profile::Places places;
  Outcome outcome;
  if (!options.recordings.trace.empty())
    outcome.write_trace({options.recordings.trace, program, host_name(), node_of_}, buffer_, scale, places);
  if (!options.recordings.profile) return outcome;
  profile::Profile profile = profile::read_profile(buffer_, program, scale, places);
  if (!options.recordings.trace.empty()) profile.ended_waits = profile::ended_waits(buffer_, scale, places);
  if (profile.seen() == 0) return outcome.text += profile::explain_empty(program), outcome;
  outcome.text += profile::text_of(profile);
  const std::string name = profile_name(options);
  outcome.write(name + ".html", profile::page_of(profile, {time_of_day(), host_name(), ATRIUM_VERSION,
                                                           own_command(), usable_cpus()}));
  outcome.write(name + ".csv", profile::csv_of(profile));
  return outcome;
}

}  // namespace atrium
