// Command lines of oshrun: a word a line.
// SPDX-License-Identifier: BSD-3-Clause
#include "input.hpp"
#include "launch/cli/nodes.hpp"
#include "launch/cli/options.hpp"

using namespace atrium;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Input input(data, size);
  if (input.rest().find('\0') != std::string_view::npos) return 0;
  auto options = parse_options(input.words());
  if (!options) {
    MUST(!options.error().what.empty(), "an error says what is wrong");
    return 0;
  }
  MUST(options->pes >= 0 && !(options->timeout_seconds < 0), "numbers are none or positive");
  for (const int pe : options->input.numbers) MUST(pe >= 0, "PEs are numbered from 0");
  for (const Variable& variable : options->variables) MUST(!variable.name.empty(), "variables have names");
  if (options->pes <= 4096) (void)spread_over_nodes(options->nodes, options->pes);
  return 0;
}
