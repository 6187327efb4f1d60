// Limits of the check of MPI's programs: where it takes a receive for more than its message.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "race/mpi/call.hpp"
#include "race/shadow/slot.hpp"

namespace atrium::race {

// In the order of the words in dialect.cpp.
enum class RaceLimit : unsigned {
  unknown_call,  // which message it sends or receives
  failed_call,
  full_mailbox,
  open_receive,
  cancelled_send,
  overlapping_sends,
  overlapping_receives,
  overtaking,
  other_nodes,
};

// While it lives, it is this thread's call that meets limits.
class InCall {
 public:
  explicit InCall(const MpiCall& call);
  ~InCall();
  InCall(const InCall&) = delete;

 private:
  const MpiCall* outer_;
};

Origin origin_of(const MpiCall& call);
void meet(RaceLimit limit);

}  // namespace atrium::race
