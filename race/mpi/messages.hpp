// Which letter a receive takes: that of the message it receives, and not all that the sender has left by then.
// SPDX-License-Identifier: BSD-3-Clause
//
// Both sides count the messages of one sender, communicator and tag (receives.hpp): the n-th that is sent is the n-th that is received. A
// message that is matched before it is received counts when it is matched. A probe sees the next one and does not count.
// Where a side cannot count, a receive takes all that the sender has left so far. That is so for good on a rank
//   - that receives by a routine that nobody knows, or whose receive fails;
//   - of messages from a rank that has sent in such a way, or has cancelled a send;
//   - whose threads may call MPI at the same time.
// It is so of a message for which the receiver's mailbox had no place left, and of a receive while nobody knows what an open one before
// it takes.
#pragma once

#include <cstdint>

#include "race/mpi/clocks.hpp"
#include "race/mpi/ranks.hpp"

namespace atrium::race {

// What this rank gets from another one of the node.
struct Letter {
  static constexpr int nobody = -2;  // MPI_PROC_NULL
  int from = elsewhere;              // its number on the node; elsewhere: from anybody
  bool is_counted = false;
  MessageKey key{};  // if so
};

// Messages to a rank of a group are about to be sent; this rank is about to receive some.
void send_message(const Strand& strand, RanksHere* group, int rank, int tag);
void ask_for_message(const Strand& strand, const RanksHere* group, int rank);
void ask_for_matched(const Strand& strand, const Letter& matched);

// Of a receive that begins; 0 where this rank does not count.
PostedReceives::Ticket post_receive(RanksHere* group, MessageOrigin from);
// The letter of what it receives, of what a probe has seen, and of what was matched now. `from` is the status's where it was any.
Letter letter_of(const RanksHere* group, PostedReceives::Ticket receive, MessageOrigin from);
Letter next_letter(const RanksHere* group, MessageOrigin from);
Letter take_next_letter(RanksHere* group, MessageOrigin from);
// It is complete, and its letter was read.
void end_receive(RanksHere& group, PostedReceives::Ticket receive, MessageOrigin from);
void drop_receive(RanksHere& group, PostedReceives::Ticket receive);  // it has received nothing

// As often as one likes, and at last by the one who has received the message, who takes it.
void read_letter(Strand& strand, const Letter& letter, bool takes, uint64_t origin);

// A message that is given in parts belongs to a plan of both sides; the plans of one sender and tag are matched in their order.
uint32_t plan_parts_to(RanksHere* group, MessageOrigin rank);
uint32_t plan_parts_from(RanksHere* group, MessageOrigin rank);
void send_parts(const Strand& strand, const RanksHere* group, MessageOrigin rank, uint32_t plan,
                uint32_t start);
Letter letter_of_parts(const RanksHere* group, MessageOrigin from, uint32_t plan, uint32_t start);

void stop_counting_receives();
void stop_counting_sends();
inline void stop_counting() { stop_counting_receives(), stop_counting_sends(); }

// The receiver of a synchronous message has come; anybody may have left something, on this node or another one.
void acquire_from_receiver(Strand& strand, const RanksHere* group, int rank, uint64_t origin);
void acquire_from_anybody(Strand& strand, uint64_t origin);

}  // namespace atrium::race
