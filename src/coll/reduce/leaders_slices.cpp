// Reduction by slices of leaders: leader i of each node has slice i of its node's sum. The leaders of a slice divide it: each
// of them combines one part for all nodes, and writes the result to the others.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each byte crosses to each node once before it is combined, and once after. In place is safe: a slice of a source is read by its
// leader alone, and a part of a leader's slice by one other before that one writes it. While a piece is combined the
// next one is on its way, and the last one's result.
#include <algorithm>
#include <memory>

#include "coll/reduce/reduce.hpp"
#include "coll/reduce/slices.hpp"
#include "coll/steps/leaders.hpp"

namespace atrium {
namespace {

constexpr size_t most_buffer_bytes = size_t{2}
                                     << 20;  // for operands that are on their way, of all leaders together
constexpr size_t least_piece = size_t{16} << 10, most_piece = size_t{256} << 10;

// What the other leaders have at one piece of the array, brought near while the piece before it is being combined.
class NearPieces {
 public:
  NearPieces(const Team& leaders, size_t element, size_t begin, size_t end)
      : leaders_(leaders), element_(element), begin_(begin), end_(end) {
    const size_t each = most_buffer_bytes / 2 / static_cast<size_t>(leaders.size);
    most_ = std::clamp<size_t>(end - begin, 1, std::clamp(each, least_piece, most_piece) / element);
    buffer_ =
        std::make_unique_for_overwrite<std::byte[]>(2 * static_cast<size_t>(leaders.size) * bytes_of_one());
  }
  size_t count() const { return (end_ - begin_ + most_ - 1) / most_; }
  size_t first(size_t piece) const { return begin_ + piece * most_; }
  size_t length(size_t piece) const { return std::min(most_, end_ - first(piece)); }

  void ask(size_t piece, std::byte* array) {
    for (int step = 1; step < leaders_.size; ++step) {
      const int member = leaders_.after(step);
      fetches_[piece % 2].get_from(leaders_, member, buffer(piece, member),
                                   element_at(array, first(piece), element_), length(piece) * element_);
    }
  }
  void await(size_t piece) { fetches_[piece % 2].settle(); }
  std::byte* buffer(size_t piece, int member) {
    return &buffer_[(piece % 2 * static_cast<size_t>(leaders_.size) + static_cast<size_t>(member)) *
                    bytes_of_one()];
  }

 private:
  size_t bytes_of_one() const { return most_ * element_; }

  const Team& leaders_;
  size_t element_, begin_, end_, most_;
  std::unique_ptr<std::byte[]> buffer_;
  Fetches fetches_[2];
};

// My slice of `array`, of which each leader has its node's.
void combine_leaders(Team& leaders, std::byte* array, const Slice& slice, const ElementLoop& loop) {
  const Slice part = slice_of(leaders.me, leaders.size, slice.end - slice.begin, loop.element);
  NearPieces pieces(leaders, loop.element, slice.begin + part.begin, slice.begin + part.end);
  synchronise_leaders(leaders);
  if (pieces.count() > 0) pieces.ask(0, array);
  for (size_t piece = 0; piece < pieces.count(); ++piece) {
    if (piece + 1 < pieces.count()) pieces.ask(piece + 1, array);
    pieces.await(piece);
    std::byte* mine = element_at(array, pieces.first(piece), loop.element);
    const size_t bytes = pieces.length(piece) * loop.element;
    // Into mine at once, unless it has not had its turn when the first result is written.
    std::byte* result = leaders.me < 2 ? mine : pieces.buffer(piece, leaders.me);
    combine_operands(loop, result, pieces.length(piece), leaders.size,
                     [&](int member) { return member == leaders.me ? mine : pieces.buffer(piece, member); });
    if (result != mine) atrium::copy(mine, result, bytes);
    for (int step = 1; step < leaders.size; ++step) put_to(leaders, leaders.after(step), mine, mine, bytes);
  }
  synchronise_leaders(leaders);
}

void run(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop) {
  TeamNodes& nodes = *team.nodes;
  reduce_in_slices(nodes, dest, source, n, loop,
                   [&](std::byte* result, const std::byte* own, const Slice& slice) {
                     if (own != result) copy_slice(result, own, slice, loop.element);
                     combine_leaders(nodes.leaders, result, slice, loop);
                   });
}

}  // namespace

constinit const ReduceAlgorithm reduce_by::leaders_slices{"leaders_slices", run, any_bytes, any_members,
                                                          ServedNodes::many};

}  // namespace atrium
