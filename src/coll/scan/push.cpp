// Scan by push: each member makes one slice of every member's result.
// SPDX-License-Identifier: BSD-3-Clause
//
// The minimum of traffic: each element of a source is read once from its owner's memory, each of a dest
// written once. In place is safe: of each slice one member alone reads the sources and writes the dests, and
// it has used a piece of a member's source when it writes that member's dest.
#include <cstring>

#include "coll/barrier/barrier.hpp"
#include "coll/scan/scan.hpp"
#include "coll/steps/slice.hpp"
#include "coll/steps/transfer.hpp"

namespace atrium {
namespace {

// Sums for others are made in my own memory, because a copy writes into a peer's faster than a loop does.
void scan_inclusive(const Team& team, const ElementLoop& loop, std::byte* dest, const std::byte* source,
                    size_t count) {
  alignas(128) std::byte theirs[piece_bytes];
  alignas(128) std::byte buffer[2][piece_bytes];
  const size_t bytes = count * loop.element;
  const std::byte* sum = look_at(team, 0, source, bytes, buffer[0]);
  if (dest != source) put_to(team, 0, dest, sum, bytes);
  for (int member = 1; member < team.size; ++member) {
    std::byte* next = member == team.me ? dest : theirs;
    loop.combine(next, sum, look_at(team, member, source, bytes, buffer[1]), count);
    if (member != team.me) put_to(team, member, dest, next, bytes);
    settle();  // `theirs` is written again
    sum = next;
  }
}

alignas(128) constexpr std::byte zeros[piece_bytes]{};  // zero of every arithmetic type

// The sum that a member gets waits in `sums` when its dest takes the place of a source that still counts.
void scan_exclusive(const Team& team, const ElementLoop& loop, std::byte* dest, const std::byte* source,
                    size_t count) {
  alignas(128) std::byte sums[2][piece_bytes];
  alignas(128) std::byte buffer[piece_bytes];
  const size_t bytes = count * loop.element;
  const std::byte* sum = look_at(team, 0, source, bytes, sums[0]);
  if (dest == source && sum != sums[0]) sum = static_cast<std::byte*>(std::memcpy(sums[0], sum, bytes));
  put_to(team, 0, dest, zeros, bytes);
  for (int member = 1; member < team.size; ++member) {
    settle();  // the sum before the last is written again
    std::byte* next = sums[member % 2];
    if (member + 1 < team.size) loop.combine(next, sum, look_at(team, member, source, bytes, buffer), count);
    put_to(team, member, dest, sum, bytes);
    sum = next;
  }
  settle();
}

void run(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop, Scan scan) {
  const auto scan_piece = scan == Scan::inclusive ? scan_inclusive : scan_exclusive;
  const Slice slice = slice_of(team.me, team.size, n, loop.element);
  synchronise(team);
  for_each_piece(slice, [&](size_t first, size_t count) {
    scan_piece(team, loop, element_at(dest, first, loop.element), element_at(source, first, loop.element),
               count);
  });
  synchronise(team);
}

}  // namespace

constinit const ScanAlgorithm scan_by::push{"push", run};

}  // namespace atrium
