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

// A thread that finds that nothing is counted any more sends messages, whose receivers are to see what was said of them before.
bool counts(const std::atomic<bool>& messages) { return messages.load(); }

Letter numbered(const RanksHere* group, MessageOrigin from, std::optional<uint32_t> number) {
  Letter letter = letter_from(group, from.source);
  if (letter.from < 0 || !number || !counts(counts_receives)) return letter;
  letter.is_counted = true;
  letter.key = {letter.from, from.tag, group->name, *number, 0};
  return letter;
}

// The next one of a kind, whose calls other threads may be in.
uint32_t take_number(NumberedCalls& calls) {
  if (calls.under_way++ != 0) calls.have_order = false;
  return calls.next++;
}

void end_call_of(NumberedByTag& all, MessageOrigin rank) {
  const auto found = all.find(rank.word());
  if (found != all.end() && found->second.under_way != 0) --found->second.under_way;
}

// What was received while its number was not known has left its letter. Requires: the lock of the group.
void drop_settled(RanksHere& group) {
  group.receives.settle([&group](MessageOrigin from, uint32_t number) {
    if (const int sender = group.on_node(from.source); sender != elsewhere)
      mailbox(job.me).drop_before({sender, from.tag, group.name, number, 0});
  });
}

// What belongs to a message to a rank of a group, counted or not. False: the rank is on another node, or is nobody.
bool release_to(const Strand& strand, const RanksHere* group, int rank) {
  if (rank == MPI_PROC_NULL) return false;
  const int to = group ? group->on_node(rank) : elsewhere;
  release(strand, to == elsewhere ? clocks->everyone : letter(to, job.me));
  return to != elsewhere;
}

// Nobody to whom this rank sends may count what comes from it.
void leave_uncounted(int to) {
  MpiClocks::Letters& left = letters(to, job.me);
  std::lock_guard guard(left.messages.lock);
  left.has_uncounted = true;
}

template <class Post>
PostedReceives::Ticket post_by(RanksHere* group, MessageOrigin from, Post post) {
  if (!group || from.source == MPI_PROC_NULL || !counts(counts_receives)) return 0;
  std::lock_guard guard(group->lock);
  return (group->receives.*
          post)({from.source == MPI_ANY_SOURCE ? -1 : from.source, from.tag == MPI_ANY_TAG ? -1 : from.tag});
}

// The plans of threads that make them at the same time have no order, nor have the messages.
uint32_t plan_parts(RanksHere* group, NumberedByTag RanksHere::*plans, MessageOrigin rank, bool& have_order) {
  std::lock_guard guard(group->lock);
  NumberedCalls& calls = (group->*plans)[rank.word()];
  const uint32_t number = take_number(calls);
  have_order = calls.have_order && !group->lets_overtake;
  return number;
}

RaceLimit why_without_order(const RanksHere& group, RaceLimit otherwise) {
  return group.lets_overtake ? RaceLimit::overtaking : otherwise;
}

}  // namespace

void acquire_from_anybody(Strand& strand, uint64_t origin) {
  acquire(strand, clocks->everyone, origin);
  for (int pe = 0; pe < job.pes; ++pe) {
    acquire(strand, letter(job.me, pe), origin);
    acquire(strand, begun_receives(job.me, pe), origin);
  }
}

void send_message(const Strand& strand, RanksHere* group, MessageOrigin to) {
  if (!release_to(strand, group, to.source) || !counts(counts_sends)) return;
  const int receiver = group->on_node(to.source);
  const bool may_overtake = group->lets_overtake;
  bool have_order = true, overlap = false, has_place = true;
  {
    std::lock_guard guard(group->lock);  // what began before has left its letter
    NumberedCalls& calls = group->sent[to.word()];
    overlap = calls.under_way != 0;
    const MessageKey key{job.me, to.tag, group->name, take_number(calls), 0};
    calls.have_order = calls.have_order && !may_overtake;
    have_order = calls.have_order;
    has_place = have_order ? mailbox(receiver).leave(key, *strand.clock)
                           : mailbox(receiver).leave_for_all(key, *strand.clock);
  }
  if (may_overtake) meet(RaceLimit::overtaking);
  if (overlap) meet(RaceLimit::overlapping_sends);
  if (has_place) return;
  meet(RaceLimit::full_mailbox);
  if (!have_order) leave_uncounted(receiver);
}

void end_sending(RanksHere* group, MessageOrigin to) {
  if (!group) return;
  std::lock_guard guard(group->lock);
  end_call_of(group->sent, to);
}

void take_back_messages(const Strand& strand, RanksHere* group, MessageOrigin to) {
  const int receiver = group->on_node(to.source);
  if (receiver == elsewhere || !counts(counts_sends)) return;
  meet(RaceLimit::cancelled_send);
  std::lock_guard guard(group->lock);
  group->sent[to.word()].have_order = false;
  const MessageKey key{job.me, to.tag, group->name, 0, 0};
  if (!mailbox(receiver).leave_for_all(key, *strand.clock)) leave_uncounted(receiver);
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
  using Post = PostedReceives::Ticket (PostedReceives::*)(MessageOrigin);
  return post_by(group, from, static_cast<Post>(&PostedReceives::post));
}

PostedReceives::Ticket post_probe(RanksHere* group, MessageOrigin from) {
  return post_by(group, from, &PostedReceives::post_probe);
}

void end_posting(RanksHere* group, PostedReceives::Ticket receive) {
  if (receive == 0) return;
  std::lock_guard guard(group->lock);
  group->receives.end_posting(receive);
}

Letter letter_of(RanksHere* group, PostedReceives::Ticket receive, MessageOrigin from) {
  if (receive == 0 || from.source < 0 || from.tag < 0 || !counts(counts_receives))
    return letter_from(group, from.source);
  bool overlaps = false;
  std::optional<uint32_t> number;
  {
    std::lock_guard guard(group->lock);
    number = group->receives.number_of(receive, from);
    overlaps = group->receives.overlaps(receive, from);
  }
  if (!number) meet(overlaps ? RaceLimit::overlapping_receives : RaceLimit::open_receive);
  return numbered(group, from, number);
}

void end_receive(RanksHere* group, PostedReceives::Ticket receive, MessageOrigin from) {
  if (receive == 0 || !counts(counts_receives)) return;
  if (from.source < 0 || from.tag < 0) return drop_receive(group, receive);
  std::lock_guard guard(group->lock);
  if (!group->receives.number_of(receive, from)) group->receives.note_unknown(from);
  group->receives.complete(receive, from);
  drop_settled(*group);
}

void drop_receive(RanksHere* group, PostedReceives::Ticket receive) {
  if (receive == 0 || !counts(counts_receives)) return;
  std::lock_guard guard(group->lock);
  group->receives.drop(receive);
  drop_settled(*group);
}

void read_letter(Strand& strand, const Letter& letter, bool takes, uint64_t origin) {
  if (letter.from == Letter::nobody) return;
  if (letter.from == elsewhere) return acquire_from_anybody(strand, origin);
  const bool is_alone = letter.is_counted && counts(counts_receives) && !has_uncounted(letter.from);
  if (is_alone && mailbox(job.me).read(letter.key, strand, origin, takes)) return;
  acquire(strand, race::letter(job.me, letter.from), origin);
}

uint32_t plan_parts_to(RanksHere* group, MessageOrigin rank) {
  if (!group || !counts(counts_sends)) return 0;
  bool have_order = true;
  const uint32_t number = plan_parts(group, &RanksHere::parts_planned_to, rank, have_order);
  if (!have_order) stop_counting_sends(why_without_order(*group, RaceLimit::overlapping_sends));
  return number;
}

uint32_t plan_parts_from(RanksHere* group, MessageOrigin rank) {
  if (!group || !counts(counts_receives)) return 0;
  bool have_order = true;
  const uint32_t number = plan_parts(group, &RanksHere::parts_planned_from, rank, have_order);
  if (!have_order) stop_counting_receives(why_without_order(*group, RaceLimit::overlapping_receives));
  return number;
}

void end_planning_to(RanksHere* group, MessageOrigin rank) {
  if (!group) return;
  std::lock_guard guard(group->lock);
  end_call_of(group->parts_planned_to, rank);
}

void end_planning_from(RanksHere* group, MessageOrigin rank) {
  if (!group) return;
  std::lock_guard guard(group->lock);
  end_call_of(group->parts_planned_from, rank);
}

void send_parts(const Strand& strand, const RanksHere* group, MessageOrigin rank, uint32_t plan,
                uint32_t start) {
  if (!release_to(strand, group, rank.source) || !counts(counts_sends)) return;
  const MessageKey key{job.me, rank.tag, group->name | RanksHere::parts, plan, start};
  if (!mailbox(group->on_node(rank.source)).leave(key, *strand.clock)) meet(RaceLimit::full_mailbox);
}

Letter letter_of_parts(const RanksHere* group, MessageOrigin from, uint32_t plan, uint32_t start) {
  Letter letter = numbered(group, from, plan);
  if (letter.is_counted) letter.key.group = group->name | RanksHere::parts, letter.key.start = start;
  return letter;
}

// What collectives bring stays.
void stop_counting_receives(RaceLimit why) {
  if (!counts_receives.exchange(false)) return;
  meet(why);
  mailbox(job.me).close_for_messages();
}

void stop_counting_sends(RaceLimit why) {
  if (!counts(counts_sends)) return;
  for (int pe = 0; pe < job.pes; ++pe) leave_uncounted(pe);
  if (counts_sends.exchange(false)) meet(why);
}

}  // namespace atrium::race
