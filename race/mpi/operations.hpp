// What routines do between ranks, from where it begins to where it is complete: the same whether one call does both, or two, or a
// request is started again and again.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each release comes before the routine that begins the operation, for which others may wait, and each acquire behind the one by which it
// is complete. So what is acquired is never less than what MPI orders. It is more where a kind says so.
#pragma once

#include <atomic>
#include <cstdint>

#include "race/mpi/call.hpp"
#include "race/mpi/messages.hpp"
#include "race/mpi/ranks.hpp"

namespace atrium::race {

struct MpiOperation {
  OrderKind kind = OrderKind::any;  // any: not known; it may bring something from everybody
  Ranks group = nullptr;
  int to = no_rank, tag = no_rank, from = no_rank, received_tag = no_rank;  // as those of MpiCall
  bool is_planned = false;              // it is started by a call of its own
  std::atomic<bool> is_active = false;  // it has begun, and is not complete
  unsigned claims = 0;  // of calls that are under way and were handed its request (requests.hpp)
  // Among the collectives of the group, or those in which each waits for each, or the plans of messages in parts.
  uint32_t number = 0;
  uint32_t start = 0;  // of a planned one: which start of it
  PostedReceives::Ticket receive = 0;
  Letter matched{};  // of receive_matched
};

// What the status of an operation that is complete says of the message; of a failed call it says nothing.
struct SeenMessage {
  MessageOrigin from{MPI_ANY_SOURCE, MPI_ANY_TAG};
  bool is_cancelled = false;
};
SeenMessage seen_in(const MPI_Status& status);

bool is_operation(OrderKind kind);
// Requires: the call is one of an operation.
std::shared_ptr<MpiOperation> operation_of(const MpiCall& call);
void begin_operation(const Strand& strand, MpiOperation& operation);
// The call that has begun it, or planned it, has returned.
void end_beginning(const MpiOperation& operation);
void end_planning(const MpiOperation& operation);
void give_parts(const Strand& strand, const MpiOperation& operation);
// It is complete.
void end_operation(Strand& strand, MpiOperation& operation, const SeenMessage& seen, uint64_t origin);
// It is complete, and its request stays: it was only asked for.
void see_operation(Strand& strand, const MpiOperation& operation, const SeenMessage& seen, uint64_t origin);
// Its request is freed: nobody will know when it is complete.
void forget_operation(MpiOperation& operation);
void cancel_operation(const Strand& strand, MpiOperation& operation);

}  // namespace atrium::race
