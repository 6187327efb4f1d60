// Counts messages by communicator, rank and tag.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/mpi/messages.hpp"

#include <mpi.h>

#include <atomic>
#include <mutex>

namespace atrium::race {
namespace {

std::atomic<bool> counts_receives{true};

uint64_t key_of(int rank, int tag) { return static_cast<uint64_t>(rank) << 32 | static_cast<uint32_t>(tag); }

// Communicators and tags share the places: a letter then says more than its message brings, and never less.
size_t place_of(const RanksHere& group, int tag, uint64_t number) {
  return (group.place + static_cast<size_t>(tag) + number) % message_turns;
}

}  // namespace

void leave_message(const Strand& strand, RanksHere& group, int rank, int tag) {
  const size_t place = place_of(group, tag, group.sent[key_of(rank, tag)]++);
  release(strand, letters(group.on_node(rank), job.me).numbered[place]);
}

Letter expect_message(RanksHere& group, int rank, int tag) {
  const int from = group.on_node(rank);
  if (tag < 0) {  // MPI_ANY_TAG, or not known
    stop_counting_receives();
    return {from, message_turns};
  }
  return {from, place_of(group, tag, group.received[key_of(rank, tag)]++)};
}

void take(Strand& strand, const Letter& letter, uint64_t origin) {
  MpiClocks::Letters& left = letters(job.me, letter.from);
  bool is_alone = letter.place != message_turns && counts_receives.load(std::memory_order_relaxed);
  if (is_alone) {
    std::lock_guard guard(left.messages.lock);
    is_alone = !left.has_uncounted;
  }
  acquire(strand, is_alone ? left.numbered[letter.place] : left.messages, origin);
}

void stop_counting_receives() { counts_receives.store(false, std::memory_order_relaxed); }

void stop_counting() {
  stop_counting_receives();
  for (int pe = 0; pe < job.pes; ++pe) {
    MpiClocks::Letters& left = letters(pe, job.me);
    std::lock_guard guard(left.messages.lock);
    left.has_uncounted = true;
  }
}

}  // namespace atrium::race
