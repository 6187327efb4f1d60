// Reduction by push: each member reduces one slice of all sources and writes the result into every dest.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each element is read once per PE and written once per PE, between two syncs. In place is safe: the member
// that writes a slice of somebody's dest is the only one that reads that slice of its source, piece by piece
// before it writes.
#include "coll/barrier/barrier.hpp"
#include "coll/reduce/operands.hpp"
#include "coll/reduce/reduce.hpp"
#include "coll/steps/transfer.hpp"
#include "copy/copy.hpp"

namespace atrium {

static void run(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop) {
  alignas(128) std::byte apart[piece_bytes];
  // Into dest at once, unless that is my operand and has not had its turn when the first result is written.
  const bool loses_mine = dest == source && team.me >= 2;
  const Slice slice = slice_of(team.me, team.size, n, loop.element);
  synchronise(team);
  for_each_piece(slice, [&](size_t first, size_t count) {
    std::byte* place = element_at(dest, first, loop.element);
    std::byte* result = loses_mine ? apart : place;
    combine_sources(team, loop, result, source, first, count);
    for (int step = 1; step < team.size; ++step)
      put_to(team, team.after(step), place, result, count * loop.element);
    settle();  // the next piece takes the place of the result
    if (loses_mine) atrium::copy(place, result, count * loop.element);
  });
  synchronise(team);
}

constinit const ReduceAlgorithm reduce_by::push{"push", run};

}  // namespace atrium
