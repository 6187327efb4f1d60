// Counts messages by communicator, rank and tag.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/mpi/messages.hpp"

#include <mpi.h>

#include <atomic>
#include <mutex>

namespace atrium::race {
namespace {

std::atomic<bool> counts_receives{true}, counts_sends{true};

uint64_t count_of(int rank, int tag) {
  return static_cast<uint64_t>(rank) << 32 | static_cast<uint32_t>(tag);
}

bool has_uncounted(int from) {
  MpiClocks::Letters& left = letters(job.me, from);
  std::lock_guard guard(left.messages.lock);
  return left.has_uncounted;
}

}  // namespace

void leave_message(const Strand& strand, RanksHere& group, int rank, int tag) {
  if (!counts_sends.load(std::memory_order_relaxed)) return;
  const auto number = static_cast<uint32_t>(group.sent[count_of(rank, tag)]++);
  mailbox(group.on_node(rank))
      .leave({job.me, tag, static_cast<uint32_t>(group.place), number}, *strand.clock);
}

Letter next_message(const RanksHere& group, int rank, int tag) {
  const int from = group.on_node(rank);
  if (tag < 0 || !counts_receives.load(std::memory_order_relaxed)) return {from, false, {}};
  const auto received = group.received.find(count_of(rank, tag));
  const auto number = static_cast<uint32_t>(received == group.received.end() ? 0 : received->second);
  return {from, true, {from, tag, static_cast<uint32_t>(group.place), number}};
}

Letter expect_message(RanksHere& group, int rank, int tag) {
  if (tag < 0) stop_counting_receives();  // MPI_ANY_TAG, or not known
  const Letter letter = next_message(group, rank, tag);
  if (letter.is_counted) ++group.received[count_of(rank, tag)];
  return letter;
}

void read_letter(Strand& strand, const Letter& letter, bool is_received, uint64_t origin) {
  const bool is_alone =
      letter.is_counted && counts_receives.load(std::memory_order_relaxed) && !has_uncounted(letter.from);
  if (is_alone && mailbox(job.me).read(letter.key, strand, origin, is_received)) return;
  acquire(strand, letters(job.me, letter.from).messages, origin);
}

void stop_counting_receives() {
  if (counts_receives.exchange(false, std::memory_order_relaxed)) mailbox(job.me).close();
}

void stop_counting() {
  stop_counting_receives();
  if (!counts_sends.exchange(false, std::memory_order_relaxed)) return;
  for (int pe = 0; pe < job.pes; ++pe) {
    MpiClocks::Letters& left = letters(pe, job.me);
    std::lock_guard guard(left.messages.lock);
    left.has_uncounted = true;
  }
}

}  // namespace atrium::race
