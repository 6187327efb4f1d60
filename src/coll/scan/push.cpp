// Scan by push: each member sums one slice across all sources and writes the running sums into the dests.
// SPDX-License-Identifier: BSD-3-Clause
//
// The minimum of traffic: each element is read once and written once. In place is safe: of each slice one
// member alone reads the sources and writes the dests, and it reads a piece of a member's source before it
// writes that dest's.
#include <cstring>

#include "coll/barrier/barrier.hpp"
#include "coll/scan/scan.hpp"
#include "coll/steps/slice.hpp"
#include "copy/copy.hpp"

namespace atrium {
namespace {

class RunningSum {
 public:
  RunningSum(const ElementLoop& loop, size_t count)
      : loop_(loop), count_(count), bytes_(count * loop.element) {
    std::memset(sum_, 0, bytes_);
  }

  void add(int member, const void* operand) {
    if (member == 0) {
      atrium::copy(sum_, operand, bytes_);  // not 0 + operand, which would lose the sign of -0
    } else {
      loop_.combine(sum_, sum_, operand, count_);
    }
  }
  void write_inclusive(int member, void* dest, const void* source) {
    add(member, source);
    copy_to_peer(dest, sum_, bytes_);
  }
  void write_exclusive(int member, void* dest, const void* source) {
    atrium::copy(operand_, source, bytes_);  // dest may be source
    copy_to_peer(dest, sum_, bytes_);
    add(member, operand_);
  }

 private:
  const ElementLoop& loop_;
  size_t count_;
  size_t bytes_;
  alignas(128) std::byte sum_[piece_bytes];
  alignas(128) std::byte operand_[piece_bytes];
};

void run(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop, Scan scan) {
  synchronise(team);
  for_each_piece(slice_of(team.me, team.size, n, loop.element), loop.element,
                 [&](size_t first, size_t count) {
                   RunningSum sum(loop, count);
                   std::byte* to = element_at(dest, first, loop.element);
                   const std::byte* from = element_at(source, first, loop.element);
                   for (int member = 0; member < team.size; ++member) {
                     if (scan == Scan::inclusive) {
                       sum.write_inclusive(member, team.there(to, member), team.there(from, member));
                     } else {
                       sum.write_exclusive(member, team.there(to, member), team.there(from, member));
                     }
                   }
                 });
  synchronise(team);
}

}  // namespace

constinit const ScanAlgorithm scan_by::push{"push", run};

}  // namespace atrium
