// Which letter a receive takes: that of the message it receives, and not all that the sender has left by then.
// SPDX-License-Identifier: BSD-3-Clause
//
// Messages of one sender with one communicator and tag are received in the order in which they are sent (MPI 4.1, 3.5). So both
// sides count them: the n-th that is sent is the n-th that is received, a receive that is completed later counting when it begins,
// and a message that is matched before it is received when it is matched. A probe sees the next one and does not count.
// Where a side cannot count, a receive takes all that the sender has left so far. That is so for good on a rank
//   - that receives and does not name source and tag before the receive is completed later, or cancels,
//     or receives by persistent or partitioned requests or by a routine that nobody knows;
//   - of messages from a rank that has sent in such a way;
//   - whose threads may call MPI at the same time.
// It is so of a message for which the receiver's mailbox had no place left, too.
#pragma once

#include <cstdint>

#include "race/mpi/clocks.hpp"
#include "race/mpi/ranks.hpp"

namespace atrium::race {

// What this rank gets from another one of the node.
struct Letter {
  int from;  // its number on the node
  bool is_counted;
  MessageKey key;  // if so
};

// A message to a rank of this node is about to be sent.
void leave_message(const Strand& strand, RanksHere& group, int rank, int tag);
// The next message from a rank of this node, which a receive has not taken and will not.
Letter next_message(const RanksHere& group, int rank, int tag);
// The same: it is received, or will be.
Letter expect_message(RanksHere& group, int rank, int tag);
// As often as one likes, and at last by the one who has received the message.
void read_letter(Strand& strand, const Letter& letter, bool is_received, uint64_t origin);

void stop_counting_receives();
void stop_counting();  // what is sent, too

}  // namespace atrium::race
