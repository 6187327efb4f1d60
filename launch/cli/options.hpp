// The options of oshrun: what the user has asked for, with the defaults.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace atrium {

// Exit statuses as shells and env(1) use them.
inline constexpr int status_usage = 2;
inline constexpr int status_deadlock = 35;  // EDEADLK
inline constexpr int status_races = 66;     // of a PE of a job in which races were seen (race/model/job.hpp)
inline constexpr int status_timeout = 124;
inline constexpr int status_not_executable = 126;
inline constexpr int status_not_found = 127;

// Some PEs of the job, by number.
struct PeSet {
  bool all = false;
  std::vector<int> numbers;

  bool has(int pe) const;
};

// "all", "none" or a list such as "0,4-7".
std::optional<PeSet> parse_pe_set(std::string_view text);

enum class Binding { automatic, none, hwthread, core, node, package };
enum class Mapping { block, by_host, by_node, by_package };
enum class Tool { gdb, valgrind, command };

// Run these PEs under another program.
struct Wrap {
  Tool tool;
  PeSet pes;                         // empty: the tool's own choice
  std::vector<std::string> command;  // of Tool::command
};

struct Variable {
  std::string name;
  std::optional<std::string> value;  // none: pass on what oshrun has
};

// What is looked for while the program runs.
struct Checks {
  bool arguments = false;
  bool deadlock = false;  // ends the job
  bool leaks = false;
  bool races = false;
  bool strict = false;       // races by the strict readings of the standard, too
  std::string race_library;  // where it is
};

struct HostSlots {
  std::string name;
  int slots = 0;  // PEs that shall be there; 0: not said
};

// What is recorded while the program runs.
struct Recordings {
  bool profile = false;
  std::string trace;                  // the file for it; empty: none
  std::optional<size_t> trace_bytes;  // of each PE
  double top_seconds = 0;             // from one display to the next; 0: none
  std::string name;                   // of the profile's files, without ending; empty: after the program
  std::string library;                // where it is

  bool any() const { return profile || !trace.empty() || top_seconds > 0; }
};

struct Options {
  int pes = 0;                   // 0: as many as there are usable CPUs
  int per_host = 0;              // 0: not said
  std::vector<HostSlots> hosts;  // empty: this one
  std::string agent;             // the command that reaches another one; empty: as ATRIUM_AGENT says
  std::optional<std::string>
      interface;              // an agent: this host's address in the network that the hosts share, or empty
  std::string remote_oshrun;  // where oshrun is there; empty: at the same path as this one
  int tree_width = 32;        // how many of the other hosts each oshrun and each agent reaches itself
  std::vector<std::string> command;
  std::vector<std::string> agent_words;  // the command line without what is about other hosts
  Binding binding = Binding::automatic;
  Mapping mapping = Mapping::block;
  std::vector<Variable> variables;
  std::vector<Wrap> wraps;
  std::vector<std::string> notes;  // notes about flags that were taken and do nothing here
  Checks checks;
  Recordings recordings;
  PeSet input{false, {0}};  // who gets oshrun's standard input
  std::string nodes;        // pretended ones (cli/nodes.hpp); empty: as ATRIUM_NODES says
  std::string directory;
  double timeout_seconds = 0;        // from the beginning of oshrun on; 0: none
  uint64_t deadlock_patience_s = 5;  // how long all PEs must have waited before it is said; 0: it is not
  bool tag_output = false;
  bool backtrace = false;
  bool report_bindings = false;
  bool oversubscribe = false;
  bool same_addresses = false;  // PEs start without address space randomization
  bool quiet = false;
  bool verbose = false;
  bool help = false;
  bool version = false;
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
};

// Reads the command line. An Error names the word that is wrong and what would be right.
Result<Options> parse_options(const std::vector<std::string>& words);

}  // namespace atrium
