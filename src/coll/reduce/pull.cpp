// Reduction by pull: each member reduces one slice of all sources into its own dest, then every member fetches
// the others'.
// SPDX-License-Identifier: BSD-3-Clause
//
// No member writes into a peer's memory, which would be slow where the peer's cache holds it dirty; the price is a third
// sync. In place is safe: my slice of a dest is fetched into only after all slices have been reduced.
#include "coll/barrier/barrier.hpp"
#include "coll/reduce/operands.hpp"
#include "coll/reduce/reduce.hpp"
#include "coll/steps/transfer.hpp"
#include "copy/copy.hpp"

namespace atrium {

static void reduce_slice(Team& team, void* dest, const void* source, const Slice& slice,
                         const ElementLoop& loop) {
  alignas(128) std::byte result[piece_bytes];
  for_each_piece(slice, [&](size_t first, size_t count) {
    combine_sources(team, loop, result, source, first, count);
    atrium::copy(element_at(dest, first, loop.element), result, count * loop.element);
  });
}

static void fetch_slices(Team& team, void* dest, size_t n, size_t element) {
  for (int step = 1; step < team.size; ++step) {
    const int member = team.after(step);
    const Slice slice = slice_of(member, team.size, n, element);
    std::byte* place = element_at(dest, slice.begin, element);
    get_from(team, member, place, place, (slice.end - slice.begin) * element);
  }
}

static void run(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop) {
  const Slice slice = slice_of(team.me, team.size, n, loop.element);
  synchronise(team);
  reduce_slice(team, dest, source, slice, loop);
  synchronise(team);
  fetch_slices(team, dest, n, loop.element);
  synchronise(team);
}

constinit const ReduceAlgorithm reduce_by::pull{"pull", run};

}  // namespace atrium
