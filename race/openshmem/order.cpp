// Finds the operations that a fence or quiet covers. Those of another strand are covered only if their issue happens before it.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/openshmem/order.hpp"

#include <algorithm>

namespace atrium::race {
namespace {

Tick known_issued(const OperationStream& stream, const Strand& strand) {
  return stream.strand == &strand ? strand.tick() : strand.clock->tick[stream.strand->lane];
}

void raise(Tick& entry, Tick tick) { entry = std::max(entry, tick); }

void finish(Strand& strand) {
  strand.advance();
  if (strand.clock->arrivals_count != 0) strand.clock->absorb();
  forget_completed(strand);
}

}  // namespace

void fence_context(Strand& strand, const ToolContext& context) {
  const auto fence_one = [](OperationStream& stream, Strand& fencing, uint64_t) {
    raise(fencing.fenced[stream.lane], known_issued(stream, fencing));
  };
  each_stream(context, fence_one, strand, 0);
  strand.advance();
}

void complete_context(Strand& strand, const ToolContext& context) {
  const auto complete_all = [](OperationStream& stream, Strand& waiting, uint64_t) {
    raise(waiting.clock->tick[stream.lane], known_issued(stream, waiting));
  };
  each_stream(context, complete_all, strand, 0);
  finish(strand);
}

// Whichever strand issued it: an operation that is not known to be issued later was issued before.
void complete_everything(Strand& strand) {
  const auto complete_all = [](OperationStream& stream, Strand& waiting, uint64_t) {
    raise(waiting.clock->tick[stream.lane], stream.strand->tick());
  };
  each_stream_of_all(complete_all, strand, 0);
  finish(strand);
}

void complete_targets(Strand& strand, const ToolContext& context, const int* pes, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const auto complete_one = [](OperationStream& stream, Strand& waiting, uint64_t pe) {
      if (static_cast<uint64_t>(stream.target) == pe)
        raise(waiting.clock->tick[stream.lane], known_issued(stream, waiting));
    };
    each_stream(context, complete_one, strand, static_cast<uint64_t>(pes[i]));
  }
  finish(strand);
}

}  // namespace atrium::race
