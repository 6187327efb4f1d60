// Begins and ends operations between two ranks itself, and leaves collectives to collectives.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/mpi/operations.hpp"

#include <mutex>

#include "race/mpi/collectives.hpp"
#include "race/mpi/requests.hpp"

namespace atrium::race {
namespace {

// Where a receive named no source or tag, the status does.
MessageOrigin origin_of(const MpiOperation& operation, const SeenMessage& seen) {
  return {operation.from == MPI_ANY_SOURCE ? seen.from.source : operation.from,
          operation.received_tag == MPI_ANY_TAG ? seen.from.tag : operation.received_tag};
}

bool receives(OrderKind kind) { return kind == OrderKind::receive || kind == OrderKind::exchange; }
bool sends(OrderKind kind) {
  return kind == OrderKind::send || kind == OrderKind::send_met || kind == OrderKind::exchange;
}
MessageOrigin receiver_of(const MpiOperation& operation) { return {operation.to, operation.tag}; }
MessageOrigin asked_sender_of(const MpiOperation& operation) {
  return {operation.from, operation.received_tag};
}

void number_plan(MpiOperation& operation) {
  RanksHere* const group = operation.group.get();
  if (is_collective(operation.kind) && group) {
    std::lock_guard guard(group->lock);
    operation.number = is_meeting(operation) ? group->meetings++ : group->collectives++;
  }
  if (operation.kind == OrderKind::send_parts)
    operation.number = plan_parts_to(group, receiver_of(operation));
  if (operation.kind == OrderKind::receive_parts)
    operation.number = plan_parts_from(group, asked_sender_of(operation));
}

// The letter that a complete operation between two ranks brings.
Letter letter_brought(const MpiOperation& operation, const SeenMessage& seen) {
  RanksHere* const group = operation.group.get();
  const MessageOrigin from = origin_of(operation, seen);
  switch (operation.kind) {
    case OrderKind::receive:
    case OrderKind::exchange:
      return seen.is_cancelled ? Letter{Letter::nobody} : letter_of(group, operation.receive, from);
    case OrderKind::receive_matched:
      return operation.matched;
    case OrderKind::receive_parts:
      return letter_of_parts(group, from, operation.number, operation.start);
    case OrderKind::send:
    case OrderKind::send_parts:
      return {Letter::nobody};
    default:
      return {};
  }
}

// `takes`: what it brings is for it alone.
void acquire_brought(Strand& strand, const MpiOperation& operation, const SeenMessage& seen, bool takes,
                     uint64_t origin) {
  if (is_collective(operation.kind)) return end_collective(strand, operation, takes, origin);
  if (operation.kind == OrderKind::send_met)
    return acquire_from_receiver(strand, operation.group.get(), operation.to, origin);
  read_letter(strand, letter_brought(operation, seen), takes, origin);
}

}  // namespace

SeenMessage seen_in(const MPI_Status& status) {
  int is_cancelled = 0;
  PMPI_Test_cancelled(&status, &is_cancelled);
  return {{status.MPI_SOURCE, status.MPI_TAG}, is_cancelled != 0};
}

bool is_operation(OrderKind kind) {
  switch (kind) {
    case OrderKind::send:
    case OrderKind::send_met:
    case OrderKind::receive:
    case OrderKind::exchange:
    case OrderKind::receive_matched:
    case OrderKind::send_parts:
    case OrderKind::receive_parts:
      return true;
    default:
      return is_collective(kind);
  }
}

std::shared_ptr<MpiOperation> operation_of(const MpiCall& call) {
  auto made = std::make_shared<MpiOperation>();
  made->kind = call.kind;
  made->group = call.kind == OrderKind::fence ? ranks_of_win(call.win) : ranks_of(call.comm);
  made->to = call.to, made->tag = call.tag, made->from = call.from, made->received_tag = call.received_tag;
  made->is_planned = call.timing == CallTiming::planned;
  if (call.kind == OrderKind::receive_matched) made->matched = take_match(*call.message);
  if (made->is_planned) number_plan(*made);
  return made;
}

void begin_operation(const Strand& strand, MpiOperation& operation) {
  RanksHere* const group = operation.group.get();
  if (operation.is_planned)
    ++operation.start;
  else
    number_plan(operation);
  operation.is_active = true;
  if (is_collective(operation.kind)) return begin_collective(strand, operation);
  if (sends(operation.kind)) send_message(strand, group, receiver_of(operation));
  if (operation.kind == OrderKind::receive_matched) ask_for_matched(strand, operation.matched);
  if (!receives(operation.kind)) return;
  ask_for_message(strand, group, operation.from);
  operation.receive = post_receive(group, asked_sender_of(operation));
}

void end_beginning(const MpiOperation& operation) {
  RanksHere* const group = operation.group.get();
  if (sends(operation.kind)) end_sending(group, receiver_of(operation));
  if (receives(operation.kind)) end_posting(group, operation.receive);
}

void end_planning(const MpiOperation& operation) {
  RanksHere* const group = operation.group.get();
  if (operation.kind == OrderKind::send_parts) end_planning_to(group, receiver_of(operation));
  if (operation.kind == OrderKind::receive_parts) end_planning_from(group, asked_sender_of(operation));
}

void give_parts(const Strand& strand, const MpiOperation& operation) {
  if (operation.kind != OrderKind::send_parts) return release(strand, clocks->everyone);
  send_parts(strand, operation.group.get(), receiver_of(operation), operation.number, operation.start);
}

void end_operation(Strand& strand, MpiOperation& operation, const SeenMessage& seen, uint64_t origin) {
  acquire_brought(strand, operation, seen, true, origin);
  operation.is_active = false;
  if (!receives(operation.kind) || !operation.group) return;
  if (seen.is_cancelled) return drop_receive(operation.group.get(), operation.receive);
  end_receive(operation.group.get(), operation.receive, origin_of(operation, seen));
}

void see_operation(Strand& strand, const MpiOperation& operation, const SeenMessage& seen, uint64_t origin) {
  acquire_brought(strand, operation, seen, false, origin);
}

// A receive with wildcards stays open: what it takes will never be known.
void forget_operation(MpiOperation& operation) {
  if (!receives(operation.kind) || !operation.group || !operation.is_active) return;
  if (operation.from == MPI_ANY_SOURCE || operation.received_tag == MPI_ANY_TAG) return;
  end_receive(operation.group.get(), operation.receive, asked_sender_of(operation));
}

// A send that is cancelled may never be a message. Both sides would count those of its tag differently from then on.
void cancel_operation(const Strand& strand, MpiOperation& operation) {
  RanksHere* const group = operation.group.get();
  if (!operation.is_active) return;
  if (!group || operation.kind == OrderKind::exchange) return stop_counting(RaceLimit::unknown_call);
  if (sends(operation.kind)) return take_back_messages(strand, group, receiver_of(operation));
  if (operation.kind != OrderKind::receive) return stop_counting(RaceLimit::unknown_call);
  if (operation.receive == 0) return;
  std::lock_guard guard(group->lock);
  group->receives.may_be_cancelled(operation.receive);
}

}  // namespace atrium::race
