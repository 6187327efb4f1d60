// Refuses combinations of flags that exclude each other, with one function for each combination.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/cli/combinations.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "launch/cli/flags.hpp"

namespace atrium {
namespace {

bool uses(const Options& options, Tool tool) {
  return std::any_of(options.wraps.begin(), options.wraps.end(),
                     [&](const Wrap& wrap) { return wrap.tool == tool; });
}

// Where a tool has its own choice of PEs, they may be any.
bool overlap(const Wrap& one, const Wrap& other) {
  const auto is_any = [](const Wrap& wrap) { return wrap.pes.all || wrap.pes.numbers.empty(); };
  if (is_any(one) || is_any(other)) return true;
  return std::any_of(one.pes.numbers.begin(), one.pes.numbers.end(),
                     [&](int pe) { return other.pes.has(pe); });
}

Result<void> require_one_debugger(const Options& options) {
  for (const Wrap& gdb : options.wraps)
    for (const Wrap& valgrind : options.wraps)
      if (gdb.tool == Tool::gdb && valgrind.tool == Tool::valgrind && overlap(gdb, valgrind))
        return Error{"--gdb and --valgrind exclude each other on one PE",
                     "gdb would trace valgrind, not the program",
                     {},
                     "one of the two, or other PEs for each"};
  return {};
}

// Of two tools that replace the routines, the second would see nothing.
Result<void> require_one_tool(const Options& options) {
  if (!options.checks.races || !options.recordings.any()) return {};
  return Error{"cannot look for races and record in one run",
               "both take the place of the OpenSHMEM routines",
               {},
               "one run for each"};
}

Result<void> require_room_for_shadow(const Options& options) {
  if (!options.checks.races || !uses(options, Tool::valgrind)) return {};
  return Error{"cannot look for races under valgrind",
               "it has no addresses left for the race checker's memory",
               {},
               "one run for each"};
}

Result<void> require_trace(const Options& options) {
  if (!options.recordings.trace_bytes || !options.recordings.trace.empty()) return {};
  return bad_word("--trace-size has no effect without --trace", "--trace=run.json, too");
}

}  // namespace

Result<void> require_combinations_make_sense(const Options& options) {
  for (const auto require : {require_one_debugger, require_one_tool, require_room_for_shadow, require_trace})
    if (auto sensible = require(options); !sensible) return sensible;
  return {};
}

Result<void> require_pes_exist(const Options& options) {
  std::vector<int> named = options.input.numbers;
  for (const Wrap& wrap : options.wraps)
    named.insert(named.end(), wrap.pes.numbers.begin(), wrap.pes.numbers.end());
  for (int pe : named)
    if (options.pes > 0 && pe >= options.pes)
      return Error{"there is no PE " + std::to_string(pe),
                   "the job has " + std::to_string(options.pes) + ", counted from 0",
                   {},
                   {}};
  return {};
}

}  // namespace atrium
