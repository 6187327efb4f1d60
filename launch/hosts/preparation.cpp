// Examines the machine without starting anything; an error is one line, as from any other command.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/preparation.hpp"

#include <unistd.h>

#include <algorithm>

#include "core/log.hpp"
#include "core/settings.hpp"
#include "launch/process/capacity.hpp"
#include "launch/process/loading.hpp"
#include "launch/process/place.hpp"
#include "launch/process/spawn.hpp"
#include "launch/process/tool_library.hpp"
#include "topology/cpus.hpp"

namespace atrium {
namespace {

bool looks_like_count(const std::string& word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
}

void print_notes(const Options& options, int pes, int usable) {
  if (options.quiet) return;
  for (const std::string& text : options.notes) note(text);
  if (pes > usable && !options.oversubscribe)
    note(std::to_string(pes) + " PEs share " + std::to_string(usable) + (usable == 1 ? " CPU" : " CPUs") +
         ": those that wait let others run");
}

// Looking at the cores costs a few reads, or hwloc: only when somebody wants to know. PEs of which several
// share a CPU may run on all of them.
bool wants_cores(const Options& options, int pes, int usable) {
  if (options.report_bindings) return true;
  if (options.binding == Binding::automatic) return pes > 1 && pes <= usable;
  return pes > 1 || options.binding != Binding::none;
}

// If the cores are unknown, this is an error only if the user has asked for them.
Result<std::vector<Core>> look_at_cores(const Options& options, int pes, int usable) {
  if (!wants_cores(options, pes, usable)) return std::vector<Core>{};
  Result<std::vector<Core>> cores = cores_of(allowed_cpus());
  const bool asked = options.binding != Binding::automatic && options.binding != Binding::none;
  if (cores || asked || options.report_bindings) return cores;
  return std::vector<Core>{};
}

bool others_are_in_the_way(const Options& options, int pes) {
  return options.binding == Binding::automatic && pes > 1 &&
         are_unevenly_busy(busy_cpus(), pes, static_cast<int>(online_cpus().size()));
}

std::vector<Cpus> place_here(const Options& options, const std::vector<Core>& cores, int pes, int usable) {
  if (cores.empty() || others_are_in_the_way(options, pes))
    return std::vector<Cpus>(static_cast<size_t>(pes));
  Options here = options;
  here.pes = pes;
  return place_pes(here, cores, usable);
}

// With the option that was given, as a refusal names it.
ToolLibrary tool_of(const Recordings& recordings) {
  ToolLibrary tool = profile_library;
  if (!recordings.profile)
    tool.purpose = recordings.trace.empty() ? "--top cannot look into" : "--trace cannot look into";
  return tool;
}

}  // namespace

int Spread::pes_here() const {
  return here < 0 ? static_cast<int>(node_of.size())
                  : static_cast<int>(std::count(node_of.begin(), node_of.end(), here));
}

Result<void> Preparation::enter(const std::string& directory) {
  if (directory.empty() || chdir(directory.c_str()) == 0) return {};
  return system_error("cannot start the PEs in '" + directory + "'", "chdir")
      .try_this("--wdir DIRECTORY with one that exists here and may be entered");
}

std::optional<Refusal> Preparation::find_library(const ToolLibrary& tool, const std::string& program,
                                                 std::string& path) {
  Result<std::string> library = find_tool_library(tool, program);
  if (!library) return Refusal{library.error(), 1};
  path = std::move(*library);
  return std::nullopt;
}

std::optional<Refusal> Preparation::find_program_and_tools(Options& options, const Spread& spread) {
  const std::string& name = options.command.front();
  Program program = find_program(name);
  if (program.refusal && program.refusal->status == status_not_found && looks_like_count(name))
    program.refusal->error.remedy = "oshrun -n " + name + " PROGRAM: the number of PEs has a flag";
  if (program.refusal) return program.refusal;
  if (auto ours = require_own_openshmem(program.path); !ours) return Refusal{ours.error(), 1};
  if (const std::string text = note_on_mpi(program.path, options.pes); !text.empty() && spread.has_first())
    options.notes.push_back(text);
  if (options.checks.races)
    if (auto refusal = find_library(race_library, program.path, options.checks.race_library)) return refusal;
  if (options.recordings.any())
    if (auto refusal = find_library(tool_of(options.recordings), program.path, options.recordings.library))
      return refusal;
  commands_.emplace(options, program.path);
  return commands_->check();
}

std::optional<Refusal> Preparation::place(const Options& options, const Spread& spread) {
  const int pes = spread.pes_here(), usable = usable_cpus();
  auto cores = look_at_cores(options, pes, usable);
  if (!cores) return Refusal{cores.error(), 1};
  Result<JobSegment> segment = JobSegment::create(spread.node_of, *cores, spread.here);
  if (!segment) return Refusal{segment.error(), 1};
  segment_.emplace(std::move(*segment));
  print_notes(options, pes, usable);
  const std::string unbound = why_unbound(options.binding, *cores, static_cast<size_t>(pes));
  if (!unbound.empty() && !options.quiet) note(unbound);
  const std::vector<Cpus> here = place_here(options, *cores, pes, usable);
  places_.resize(spread.node_of.size());
  for (size_t pe = 0, next = 0; pe < places_.size(); ++pe) {
    if (!segment_->is_here(static_cast<int>(pe))) continue;
    places_[pe] = here[next++];
    if (options.report_bindings) note(describe_place(static_cast<int>(pe), places_[pe], *cores));
  }
  return std::nullopt;
}

std::optional<Refusal> Preparation::prepare(Options& options, const Spread& spread) {
  if (options.same_addresses && !may_fix_addresses())
    return Refusal{
        system_error("cannot start the PEs at the same addresses", "personality")
            .try_this("a container that allows it (docker run --security-opt seccomp=unconfined), or no "
                      "--same-addresses"),
        1};
  if (auto refusal = find_program_and_tools(options, spread)) return refusal;
  if (auto room = require_room(spread.pes_here(), options.oversubscribe); !room)
    return Refusal{room.error(), 1};
  return place(options, spread);
}

}  // namespace atrium
