// Which letter a receive takes: that of the message it receives, and not all that the sender has left by then.
// SPDX-License-Identifier: BSD-3-Clause
//
// Both sides count the messages of one sender, communicator and tag (receives.hpp): the n-th that is sent is the n-th that is received. A
// message that is matched before it is received counts when it is matched. A probe sees the next one and does not count.
// Where a side cannot count, a receive takes all that the sender has left so far. That is so for good on a rank
//   - that receives by a routine that nobody knows, or whose receive fails;
//   - of messages from a rank that has sent in such a way.
// It is so of a message for which the receiver's mailbox had no place left, of a receive while nobody knows what an open one before it
// takes, and of receives that began at the same time and might have taken the same message.
// Sends of one communicator, rank and tag may begin at the same time, or one is cancelled, or the communicator has the hint that its
// messages may overtake each other (hints.hpp). Then nobody knows any more which number such a message has, and a receive takes what any of
// them has brought so far.
// Each limit is met (limits.hpp).
#pragma once

#include <cstdint>

#include "race/mpi/clocks.hpp"
#include "race/mpi/limits.hpp"
#include "race/mpi/ranks.hpp"

namespace atrium::race {

// What this rank gets from another one of the node.
struct Letter {
  static constexpr int nobody = -2;  // MPI_PROC_NULL
  int from = elsewhere;              // its number on the node; elsewhere: from anybody
  bool is_counted = false;
  MessageKey key{};  // if so
};

// A message to a rank of a group is about to be sent; the call that has begun it has returned; it may have been taken back.
void send_message(const Strand& strand, RanksHere* group, MessageOrigin to);
void end_sending(RanksHere* group, MessageOrigin to);
void take_back_messages(const Strand& strand, RanksHere* group, MessageOrigin to);
// This rank is about to receive some.
void ask_for_message(const Strand& strand, const RanksHere* group, int rank);
void ask_for_matched(const Strand& strand, const Letter& matched);

// Of a receive or a probe that begins; 0 where this rank does not count.
PostedReceives::Ticket post_receive(RanksHere* group, MessageOrigin from);
PostedReceives::Ticket post_probe(RanksHere* group, MessageOrigin from);
void end_posting(RanksHere* group,
                 PostedReceives::Ticket receive);  // the call that has begun it has returned
// The letter of what it receives, or of what a probe has seen. `from` is the status's where it was any.
Letter letter_of(RanksHere* group, PostedReceives::Ticket receive, MessageOrigin from);
// It is complete, and its letter is known.
void end_receive(RanksHere* group, PostedReceives::Ticket receive, MessageOrigin from);
void drop_receive(RanksHere* group, PostedReceives::Ticket receive);  // it has received nothing

// As often as one likes, and at last by the one who has received the message, who takes it.
void read_letter(Strand& strand, const Letter& letter, bool takes, uint64_t origin);

// A message that is given in parts belongs to a plan of both sides; the plans of one sender and tag are matched in their order.
uint32_t plan_parts_to(RanksHere* group, MessageOrigin rank);
uint32_t plan_parts_from(RanksHere* group, MessageOrigin rank);
void end_planning_to(RanksHere* group, MessageOrigin rank);
void end_planning_from(RanksHere* group, MessageOrigin rank);
void send_parts(const Strand& strand, const RanksHere* group, MessageOrigin rank, uint32_t plan,
                uint32_t start);
Letter letter_of_parts(const RanksHere* group, MessageOrigin from, uint32_t plan, uint32_t start);

void stop_counting_receives(RaceLimit why);
void stop_counting_sends(RaceLimit why);
inline void stop_counting(RaceLimit why) { stop_counting_receives(why), stop_counting_sends(why); }

// The receiver of a synchronous message has come; anybody may have left something, on this node or another one.
void acquire_from_receiver(Strand& strand, const RanksHere* group, int rank, uint64_t origin);
void acquire_from_anybody(Strand& strand, uint64_t origin);

}  // namespace atrium::race
