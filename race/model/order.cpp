// A fence or quiet covers another strand's operations only if their issue happens before it.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/model/order.hpp"

#include <algorithm>

namespace atrium::race {
namespace {

Tick known_issued(const Box& box, const Strand& strand) {
  return box.strand == &strand ? strand.tick() : strand.clock->tick[box.strand->lane];
}

void raise(Tick& entry, Tick tick) { entry = std::max(entry, tick); }

void finish(Strand& strand) {
  strand.advance();
  if (strand.clock->arrivals_count != 0) strand.clock->absorb();
  forget_completed(strand);
}

}  // namespace

void fence_context(Strand& strand, const ToolContext& context) {
  const auto fence_box = [](Box& box, Strand& fencing, uint64_t) {
    raise(fencing.fenced[box.lane], known_issued(box, fencing));
  };
  each_box(context, fence_box, strand, 0);
  strand.advance();
}

void complete_context(Strand& strand, const ToolContext& context) {
  const auto complete_box = [](Box& box, Strand& waiting, uint64_t) {
    raise(waiting.clock->tick[box.lane], known_issued(box, waiting));
  };
  each_box(context, complete_box, strand, 0);
  finish(strand);
}

// Whichever strand issued it: an operation that is not known to be issued later was issued before.
void complete_everything(Strand& strand) {
  const auto complete_box = [](Box& box, Strand& waiting, uint64_t) {
    raise(waiting.clock->tick[box.lane], box.strand->tick());
  };
  each_box_of_all(complete_box, strand, 0);
  finish(strand);
}

void complete_targets(Strand& strand, const ToolContext& context, const int* pes, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const auto complete_one = [](Box& box, Strand& waiting, uint64_t pe) {
      if (static_cast<uint64_t>(box.target) == pe)
        raise(waiting.clock->tick[box.lane], known_issued(box, waiting));
    };
    each_box(context, complete_one, strand, static_cast<uint64_t>(pes[i]));
  }
  finish(strand);
}

}  // namespace atrium::race
