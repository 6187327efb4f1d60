// Builds the PEs' environment: "NAME=value" entries, of which the job's own come last and win.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "atrium_machine.h"
#include "lobby/lobby.hpp"
#include "profile/buffer/record_buffer.hpp"

namespace atrium {

std::string make_job_id() { return std::to_string(getpid()) + "." + std::to_string(atrium_now_ns()); }

Environment::Environment(const Options& options, const std::string& job_id, int record_fd) {
  for (char** entry = environ; *entry; ++entry)
    if (!std::string_view(*entry).starts_with("ATRIUM_JOB_")) entries_.push_back(*entry);
  for (const Variable& variable : options.variables)
    if (variable.value) set(variable.name, *variable.value);
  if (options.quiet) set("ATRIUM_QUIET", "1");  // PEs have notes of their own
  if (options.backtrace) set("ATRIUM_BACKTRACE", "1");
  if (options.checks.arguments) set("ATRIUM_CHECK", "1");
  if (options.checks.leaks) set("ATRIUM_LEAKS", "1");
  if (options.checks.races) {
    set("ATRIUM_RACES", options.checks.strict ? "strict" : "on");
    preload(options.checks.race_library);
  }
  if (options.recordings.any()) {
    set(profile::buffer_variable, std::to_string(record_fd));
    preload(options.recordings.library);
  }
  set(job_variable::pes, std::to_string(options.pes));
  set(job_variable::id, job_id);
  if (options.interface) set(job_variable::interface, *options.interface);
  set(job_variable::version, ATRIUM_VERSION);
}

// A tool's library goes in front of the program's, and before others that are preloaded.
void Environment::preload(const std::string& library) {
  std::string preloaded = library;
  for (const std::string& entry : entries_)
    if (entry.starts_with("LD_PRELOAD=") && entry.size() > 11) preloaded += ":" + entry.substr(11);
  set("LD_PRELOAD", preloaded);
}

void Environment::set(const std::string& name, const std::string& value) {
  unset(name);
  entries_.push_back(name + "=" + value);
}

void Environment::unset(const std::string& name) {
  std::erase_if(entries_, [&](const std::string& entry) { return entry.starts_with(name + "="); });
}

char** Environment::of(int pe, int job_fd, int bell, bool forwarded_by_lines) {
  set(job_variable::pe, std::to_string(pe));
  set(job_variable::fd, std::to_string(job_fd));
  unset(job_variable::bell);
  if (bell >= 0) set(job_variable::bell, std::to_string(bell));
  unset(job_variable::lines);
  if (forwarded_by_lines) set(job_variable::lines, "1");
  pointers_.clear();
  for (std::string& entry : entries_) pointers_.push_back(entry.data());
  pointers_.push_back(nullptr);
  return pointers_.data();
}

}  // namespace atrium
