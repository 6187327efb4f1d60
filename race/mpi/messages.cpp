// Counts messages by communicator, rank and tag.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/mpi/messages.hpp"

#include <mpi.h>

#include <atomic>
#include <mutex>

namespace atrium::race {
namespace {

std::atomic<bool> counts_receives{true}, counts_sends{true};

bool has_uncounted(int from) {
  MpiClocks::Letters& left = letters(job.me, from);
  std::lock_guard guard(left.messages.lock);
  return left.has_uncounted;
}

// That a receive has begun, to a rank of this node; to one of another node, for all who receive what came another way.
void ask_number(const Strand& strand, int number) {
  release(strand, number == elsewhere ? clocks->everyone : begun_receives(number, job.me));
}

// A letter that belongs to no message yet.
Letter letter_from(const RanksHere* group, int source) {
  if (source == MPI_PROC_NULL) return {Letter::nobody};
  return {group ? group->on_node(source) : elsewhere};
}

Letter numbered(const RanksHere* group, MessageOrigin from, std::optional<uint32_t> number) {
  Letter letter = letter_from(group, from.source);
  if (letter.from < 0 || !number || !counts_receives.load(std::memory_order_relaxed)) return letter;
  letter.is_counted = true;
  letter.key = {letter.from, from.tag, group->name, *number, 0};
  return letter;
}

// The number of a message from there, where this rank counts and the origin is known.
template <class Number>
std::optional<uint32_t> number_if_counted(const RanksHere* group, MessageOrigin from, Number number) {
  if (!group || from.source < 0 || from.tag < 0 || !counts_receives.load(std::memory_order_relaxed))
    return {};
  return number(group->receives);
}

// What was received while its number was not known has left its letter.
void drop_settled(RanksHere& group) {
  group.receives.settle([&group](MessageOrigin from, uint32_t number) {
    if (const int sender = group.on_node(from.source); sender != elsewhere)
      mailbox(job.me).drop_before({sender, from.tag, group.name, number, 0});
  });
}

}  // namespace

void acquire_from_anybody(Strand& strand, uint64_t origin) {
  acquire(strand, clocks->everyone, origin);
  for (int pe = 0; pe < job.pes; ++pe) {
    acquire(strand, letter(job.me, pe), origin);
    acquire(strand, begun_receives(job.me, pe), origin);
  }
}

// What belongs to a message to a rank of a group, counted or not. False: the rank is on another node, or is nobody.
bool release_to(const Strand& strand, const RanksHere* group, int rank) {
  if (rank == MPI_PROC_NULL) return false;
  const int to = group ? group->on_node(rank) : elsewhere;
  release(strand, to == elsewhere ? clocks->everyone : letter(to, job.me));
  return to != elsewhere;
}

void send_message(const Strand& strand, RanksHere* group, int rank, int tag) {
  if (!release_to(strand, group, rank) || !counts_sends.load(std::memory_order_relaxed)) return;
  const int to = group->on_node(rank);
  const uint32_t number = group->sent[MessageOrigin{rank, tag}.word()]++;
  mailbox(to).leave({job.me, tag, group->name, number, 0}, *strand.clock);
}

void ask_for_message(const Strand& strand, const RanksHere* group, int rank) {
  if (rank == MPI_PROC_NULL) return;
  if (!group || rank != MPI_ANY_SOURCE) return ask_number(strand, group ? group->on_node(rank) : elsewhere);
  for (const int number : group->members) ask_number(strand, number);
}

void ask_for_matched(const Strand& strand, const Letter& matched) {
  if (matched.from != Letter::nobody) ask_number(strand, matched.from);
}

void acquire_from_receiver(Strand& strand, const RanksHere* group, int rank, uint64_t origin) {
  if (rank == MPI_PROC_NULL) return;
  const int receiver = group ? group->on_node(rank) : elsewhere;
  if (receiver == elsewhere) return acquire_from_anybody(strand, origin);
  acquire(strand, begun_receives(job.me, receiver), origin);
}

PostedReceives::Ticket post_receive(RanksHere* group, MessageOrigin from) {
  if (!group || from.source == MPI_PROC_NULL || !counts_receives.load(std::memory_order_relaxed)) return 0;
  return group->receives.post(
      {from.source == MPI_ANY_SOURCE ? -1 : from.source, from.tag == MPI_ANY_TAG ? -1 : from.tag});
}

Letter letter_of(const RanksHere* group, PostedReceives::Ticket receive, MessageOrigin from) {
  return numbered(group, from, number_if_counted(group, from, [&](const PostedReceives& receives) {
                    return receives.number_of(receive, from);
                  }));
}

Letter next_letter(const RanksHere* group, MessageOrigin from) {
  return numbered(group, from, number_if_counted(group, from, [&](const PostedReceives& receives) {
                    return receives.next_number(from);
                  }));
}

Letter take_next_letter(RanksHere* group, MessageOrigin from) {
  const PostedReceives::Ticket receive = post_receive(group, from);
  const Letter letter = letter_of(group, receive, from);
  if (receive != 0) end_receive(*group, receive, from);
  return letter;
}

void end_receive(RanksHere& group, PostedReceives::Ticket receive, MessageOrigin from) {
  if (receive == 0 || !counts_receives.load(std::memory_order_relaxed)) return;
  if (from.source < 0 || from.tag < 0) return drop_receive(group, receive);
  if (!group.receives.number_of(receive, from)) group.receives.note_unknown(from);
  group.receives.complete(receive, from);
  drop_settled(group);
}

void drop_receive(RanksHere& group, PostedReceives::Ticket receive) {
  if (receive == 0 || !counts_receives.load(std::memory_order_relaxed)) return;
  group.receives.drop(receive);
  drop_settled(group);
}

void read_letter(Strand& strand, const Letter& letter, bool takes, uint64_t origin) {
  if (letter.from == Letter::nobody) return;
  if (letter.from == elsewhere) return acquire_from_anybody(strand, origin);
  const bool is_alone =
      letter.is_counted && counts_receives.load(std::memory_order_relaxed) && !has_uncounted(letter.from);
  if (is_alone && mailbox(job.me).read(letter.key, strand, origin, takes)) return;
  acquire(strand, race::letter(job.me, letter.from), origin);
}

uint32_t plan_parts_to(RanksHere* group, MessageOrigin rank) {
  const bool counts = group && counts_sends.load(std::memory_order_relaxed);
  return counts ? group->parts_planned_to[rank.word()]++ : 0;
}

uint32_t plan_parts_from(RanksHere* group, MessageOrigin rank) {
  const bool counts = group && counts_receives.load(std::memory_order_relaxed);
  return counts ? group->parts_planned_from[rank.word()]++ : 0;
}

void send_parts(const Strand& strand, const RanksHere* group, MessageOrigin rank, uint32_t plan,
                uint32_t start) {
  if (!release_to(strand, group, rank.source) || !counts_sends.load(std::memory_order_relaxed)) return;
  mailbox(group->on_node(rank.source))
      .leave({job.me, rank.tag, group->name | RanksHere::parts, plan, start}, *strand.clock);
}

Letter letter_of_parts(const RanksHere* group, MessageOrigin from, uint32_t plan, uint32_t start) {
  Letter letter = numbered(group, from, plan);
  if (letter.is_counted) letter.key.group = group->name | RanksHere::parts, letter.key.start = start;
  return letter;
}

// What collectives bring stays.
void stop_counting_receives() {
  if (counts_receives.exchange(false, std::memory_order_relaxed)) mailbox(job.me).close_for_messages();
}

void stop_counting_sends() {
  if (!counts_sends.exchange(false, std::memory_order_relaxed)) return;
  for (int pe = 0; pe < job.pes; ++pe) {
    MpiClocks::Letters& left = letters(pe, job.me);
    std::lock_guard guard(left.messages.lock);
    left.has_uncounted = true;
  }
}

}  // namespace atrium::race
