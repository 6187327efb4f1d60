// The chooser, told anything: headers that make no sense, memory that comes and goes. Every call ends, by one way.
// SPDX-License-Identifier: BSD-3-Clause
#include "choice/chooser.hpp"
#include "input.hpp"

using namespace atrium::mpi;

namespace {

std::int64_t time_ns;

CallHeader draw_header(Input& input) {
  return {static_cast<CallVerdict>(input.up_to(7)), input.take<std::uint64_t>(), input.take<std::uint64_t>()};
}

// Answers what was done.
NextStep carry_out(Chooser& chooser, NextStep step, Input& input) {
  time_ns += input.take<std::uint16_t>();
  switch (step) {
    case NextStep::call_mpi:
      return chooser.called_mpi();
    case NextStep::find_nodes: {
      const bool found = input.up_to(7) > 0;
      return chooser.found_nodes(found, input.up_to(1));
    }
    case NextStep::grow:
      if (input.up_to(1)) chooser.chooses_to_read();
      if (input.up_to(3) == 0) chooser.has_to_read();
      return chooser.grown(input.up_to(3) > 0);
    case NextStep::exchange:
      chooser.sends_data(input.take<std::uint64_t>());
      return chooser.exchanged(draw_header(input));
    case NextStep::take:
      return chooser.taken(static_cast<CallVerdict>(input.up_to(7)));
    case NextStep::ask:
      return chooser.asked(draw_header(input));
    default:
      return input.up_to(7) ? chooser.agreed(chooser.measured(), {input.up_to(1) > 0, input.up_to(1) > 0})
                            : chooser.agreed_on_nothing();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const int rule = input.up_to(2);
  Chooser chooser({rule == 1, rule == 2 ? std::size_t{1024} : 0}, [] { return time_ns; });
  chooser.leave_first_calls(input.up_to(80));
  std::uint64_t calls = 0, counted = 0;
  for (; input.left() > 0; ++calls) {
    const bool uniform = input.up_to(1);
    const auto bytes = input.take<std::uint64_t>();
    const auto drawn = static_cast<CallKind>(uniform ? bytes % call_kinds : different_blocks);
    const CallKind kind = is_of_reads(drawn) ? equal_blocks : drawn;
    if (uniform ? chooser.leaves_to_mpi(bytes, 1, kind) : chooser.leaves_varying_to_mpi(1)) continue;
    NextStep step = uniform ? chooser.begin_uniform(bytes, 1, kind) : chooser.begin_varying(1);
    for (int steps = 0; step != NextStep::done; ++steps) {
      MUST(steps < 10, "a call ends, whatever is heard");
      step = carry_out(chooser, step, input);
    }
  }
  chooser.record_first_calls();
  chooser.for_each_record([&](const char*, int, const ChoiceRecord& record) {
    if (!is_of_reads(record.kind)) counted += record.tally.calls;
  });
  MUST(counted == calls, "each call is counted once");
  return 0;
}
