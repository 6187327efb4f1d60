// From what the user asked for to PEs that can be started on this machine.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "launch/hosts/local_host.hpp"
#include "launch/process/tool_library.hpp"

namespace atrium {

// Where the PEs are. `here`: the node of this machine in a job over several; -1: all nodes are here.
struct Spread {
  std::vector<int> node_of;
  int here = -1;

  int pes_here() const;
  bool has_first() const { return here < 0 || node_of.front() == here; }
};

class Preparation {
 public:
  // Enters the directory, finds program, tools and cores, makes the job's memory. `options` stays with the caller and
  // must live as long.
  static Result<void> enter(const std::string& directory);
  std::optional<Refusal> prepare(Options& options, const Spread& spread);

  const Commands& commands() const { return *commands_; }
  // For LocalHost, once.
  JobSegment take_segment() { return std::move(*segment_); }
  std::vector<Cpus> take_places() { return std::move(places_); }

 private:
  static std::optional<Refusal> find_library(const ToolLibrary& tool, const std::string& program,
                                             std::string& path);
  std::optional<Refusal> find_program_and_tools(Options& options, const Spread& spread);
  std::optional<Refusal> place(const Options& options, const Spread& spread);

  std::optional<Commands> commands_;
  std::optional<JobSegment> segment_;
  std::vector<Cpus> places_;
};

}  // namespace atrium
