// Scan in bulk, for teams that span nodes: each member makes one slice of every member's result.
// SPDX-License-Identifier: BSD-3-Clause
//
// As push, but the operands of a piece come all at once, and the results leave all at once.
#include <algorithm>
#include <cstring>
#include <memory>

#include "coll/barrier/barrier.hpp"
#include "coll/scan/prefix.hpp"
#include "coll/steps/slice.hpp"
#include "coll/steps/transfer.hpp"

namespace atrium {
namespace {

constexpr size_t most_buffer_bytes = size_t{4} << 20;  // for the operands and the results of a piece
constexpr size_t most_piece = size_t{64} << 10;

size_t elements_of_piece(const Team& team, size_t element) {
  return std::max<size_t>(
      1, std::min(most_piece, most_buffer_bytes / 2 / static_cast<size_t>(team.size)) / element);
}

// Room for one operand, and one result, of each member.
class Buffers {
 public:
  Buffers(const Team& team, size_t bytes)
      : bytes_(bytes),
        buffer_(std::make_unique_for_overwrite<std::byte[]>(2 * static_cast<size_t>(team.size) * bytes)) {}
  std::byte* operand(int member) { return &buffer_[2 * static_cast<size_t>(member) * bytes_]; }
  std::byte* result(int member) { return operand(member) + bytes_; }

 private:
  size_t bytes_;
  std::unique_ptr<std::byte[]> buffer_;
};

void scan_piece(const Team& team, const ElementLoop& loop, Buffers& buffers, std::byte* dest,
                const std::byte* source, size_t count, Scan scan) {
  const size_t bytes = count * loop.element;
  for (int step = 0; step < team.size; ++step)
    get_from(team, team.after(step), buffers.operand(team.after(step)), source, bytes);
  settle();
  for (int member = 0; member < team.size; ++member) {
    const int before = scan == Scan::inclusive ? member : member - 1;
    if (before < 0)
      std::memset(buffers.result(member), 0, bytes);  // zero of every arithmetic type
    else if (before == 0)
      std::memcpy(buffers.result(member), buffers.operand(0), bytes);
    else
      loop.combine(buffers.result(member), buffers.result(member - 1), buffers.operand(before), count);
  }
  for (int step = 1; step <= team.size; ++step)
    put_to(team, team.after(step), dest, buffers.result(team.after(step)), bytes);
  settle();
}

void run(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop, Scan scan) {
  Slice slice = slice_of(team.me, team.size, n, loop.element);
  slice.piece = std::clamp<size_t>(slice.end - slice.begin, 1, elements_of_piece(team, loop.element));
  Buffers buffers(team, slice.piece * loop.element);
  synchronise(team);
  for_each_piece(slice, [&](size_t first, size_t count) {
    scan_piece(team, loop, buffers, element_at(dest, first, loop.element),
               element_at(source, first, loop.element), count, scan);
  });
  synchronise(team);
}

}  // namespace

constinit const ScanAlgorithm scan_by::bulk{"bulk", run, any_bytes, any_members, ServedNodes::many};

}  // namespace atrium
