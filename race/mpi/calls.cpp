// What each kind of routine releases before it runs and acquires when it has run.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each release comes before the routine that others may wait for, each acquire behind it. So what is acquired is never less than
// what MPI orders. It is more where a kind says so.
#include <algorithm>
#include <vector>

#include "interpose/caller.hpp"
#include "race/model/site.hpp"
#include "race/model/word.hpp"
#include "race/mpi/call.hpp"
#include "race/mpi/clocks.hpp"
#include "race/mpi/messages.hpp"
#include "race/mpi/program.hpp"
#include "race/mpi/ranks.hpp"
#include "race/mpi/requests.hpp"
#include "race/mpi/windows.hpp"
#include "race/threads/sync.hpp"

namespace atrium::race {
namespace {

Origin origin_of(const MpiCall& call) {
  const auto routine = static_cast<Routine>(static_cast<unsigned>(Routine::first_own) + call.routine);
  return race::origin_of(Site{routine, call.caller}, 0);
}

// To a rank of this node; to one of another node, for all who receive what came another way.
void release_to_number(const Strand& strand, int number) {
  release(strand, number == elsewhere ? clocks->everyone : letter(number, job.me));
}

void release_to_all(const Strand& strand, const RanksHere* group) {
  if (!group) return release(strand, clocks->everyone);
  for (const int number : group->members) release_to_number(strand, number);
}

// To one rank of a group, or to whoever it may be: that it has been asked for a message.
void release_to(const Strand& strand, const RanksHere* group, int rank) {
  if (rank == MPI_PROC_NULL) return;
  if (!group || rank == MPI_ANY_SOURCE) return release_to_all(strand, group);
  release_to_number(strand, group->on_node(rank));
}

void send_to(const Strand& strand, RanksHere* group, const MpiCall& call) {
  release_to(strand, group, call.to);
  if (group && group->on_node(call.to) != elsewhere) leave_message(strand, *group, call.to, call.tag);
}

void acquire_letters(Strand& strand, uint64_t origin) {
  for (int pe = 0; pe < job.pes; ++pe) acquire(strand, letter(job.me, pe), origin);
}

void acquire_from(Strand& strand, const RanksHere* group, int rank, uint64_t origin) {
  if (rank == MPI_PROC_NULL) return;
  const int pe = group ? group->on_node(rank) : elsewhere;
  if (pe == elsewhere) return acquire_letters(strand, origin);
  acquire(strand, letter(job.me, pe), origin);
}

// What a rank of a group has left, of which this one receives a message.
void receive_from(Strand& strand, RanksHere* group, const MpiCall& call, uint64_t origin) {
  if (call.from == MPI_ANY_SOURCE) stop_counting_receives();
  if (!group || group->on_node(call.from) == elsewhere) return acquire_from(strand, group, call.from, origin);
  read_letter(strand, expect_message(*group, call.from, call.received_tag), true, origin);
}

// All that this rank of a group has left.
Brought brought_from(const RanksHere* group, int rank) {
  if (rank == MPI_PROC_NULL) return {};
  const int pe = group ? group->on_node(rank) : elsewhere;
  if (pe == elsewhere) return Brought::everything();
  Brought brought;
  brought.ranks.set(static_cast<size_t>(pe));
  return brought;
}

// A receive that is completed later, or of a message that is matched now.
Brought brought_by_receive(const MpiCall& call, RanksHere* group) {
  if (call.from == MPI_ANY_SOURCE) stop_counting_receives();
  if (!group || group->on_node(call.from) == elsewhere) return brought_from(group, call.from);
  return {{}, {expect_message(*group, call.from, call.received_tag)}};
}

void acquire_brought(Strand& strand, const Brought& brought, bool is_received, uint64_t origin) {
  for (int pe = 0; pe < job.pes; ++pe)
    if (brought.ranks[static_cast<size_t>(pe)]) acquire(strand, letter(job.me, pe), origin);
  for (const Letter& each : brought.letters) read_letter(strand, each, is_received, origin);
}

void see_message(Strand& strand, const RanksHere* group, const MpiCall& call, uint64_t origin) {
  if (!group || group->on_node(call.from) == elsewhere) return acquire_from(strand, group, call.from, origin);
  read_letter(strand, next_message(*group, call.from, call.received_tag), false, origin);
}

void match_message(Strand& strand, RanksHere* group, const MpiCall& call, uint64_t origin) {
  const Brought brought = brought_by_receive(call, group);
  acquire_brought(strand, brought, false, origin);
  note_match(*call.message,
             {brought, group ? group->on_node(call.from) : elsewhere, call.from != MPI_PROC_NULL});
}

// The message of the call that receives it, which goes with it.
thread_local Matched& received = *new Matched;

void begin_receiving(const Strand& strand, const MpiCall& call) {
  received = take_match(*call.message);
  if (received.has_sender) release_to_number(strand, received.sender);
}

// A request that goes when it is complete is noted with what it brings. Others may have the handle of one that has gone unseen.
void note_made(const MpiCall& call, RanksHere* group) {
  switch (call.kind) {
    case OrderKind::start_send:
      return note_request(*call.made, {});
    case OrderKind::start_send_met:
      return note_request(*call.made, brought_from(group, call.to));
    case OrderKind::await:
      return note_request(*call.made, brought_by_receive(call, group));
    case OrderKind::await_matched:
      return note_request(*call.made, received.brought);
    case OrderKind::start:
      return note_request(*call.made, Brought::everything());
    default:
      return forget_request(*call.made);
  }
}

// What a call completes, as it was when the call began.
thread_local std::vector<MPI_Request>& awaited = *new std::vector<MPI_Request>;

void begin_completing(const MpiCall& call) {
  awaited.assign(call.requests, call.requests + std::max(call.count, 0));
}

void end_completing(const MpiCall& call, Strand& strand, uint64_t origin) {
  if (!call.is_true()) return;
  const bool goes = call.kind == OrderKind::complete;
  const MPI_Request* const now = goes ? call.requests : nullptr;
  const Brought brought = call.requests ? brought_by(awaited.data(), now, call.count) : Brought::everything();
  acquire_brought(strand, brought, goes, origin);
  forget_requests(awaited.data(), call.requests, call.count);
}

// A collective of a group: `gives` and `takes` are of this rank.
void enter_collective(const Strand& strand, RanksHere* group, bool gives) {
  if (!group) return release(strand, clocks->everyone);
  if (gives) release(strand, group->turn(group->collectives));
  if (gives && !group->is_here) release(strand, clocks->everyone);
}

void leave_collective(Strand& strand, RanksHere* group, bool takes, uint64_t origin) {
  if (group && takes) acquire(strand, group->turn(group->collectives), origin);
  if (group) ++group->collectives;
}

RanksHere* group_of(const MpiCall& call) {
  return call.kind == OrderKind::fence ? ranks_of_win(call.win) : ranks_of(call.comm);
}

// What goes to one rank, or comes from one, is a letter like that of a message: who is ahead is told apart. No message has this tag.
MessageKey key_of_collective(const RanksHere& group, int from) {
  return {from, -1, static_cast<uint32_t>(group.place), static_cast<uint32_t>(group.collectives)};
}

void leave_for_collective(const Strand& strand, const RanksHere& group, int number) {
  if (number != elsewhere && number != job.me)
    mailbox(number).leave(key_of_collective(group, job.me), *strand.clock);
}

// False: that rank is elsewhere, or its letter found no place.
bool read_of_collective(Strand& strand, const RanksHere& group, int number, uint64_t origin) {
  return number == job.me || (number != elsewhere &&
                              mailbox(job.me).read(key_of_collective(group, number), strand, origin, true));
}

void enter_rooted(const Strand& strand, RanksHere* group, const MpiCall& call, bool is_root) {
  const bool gives = is_root == (call.kind == OrderKind::from_root);
  if (group && gives && is_root)
    for (const int number : group->members) leave_for_collective(strand, *group, number);
  else if (group && gives)
    leave_for_collective(strand, *group, group->on_node(call.from));
  enter_collective(strand, group, gives);
}

void leave_rooted(Strand& strand, RanksHere* group, const MpiCall& call, bool is_root, uint64_t origin) {
  const bool takes = is_root == (call.kind == OrderKind::to_root);
  bool all = true;
  if (group && takes && is_root)
    for (const int number : group->members) all &= read_of_collective(strand, *group, number, origin);
  else if (group && takes)
    all = read_of_collective(strand, *group, group->on_node(call.from), origin);
  leave_collective(strand, group, takes && !all, origin);
}

bool is_root(const RanksHere* group, const MpiCall& call) { return !group || group->rank == call.from; }

thread_local SeenWindow* being_freed = nullptr;

void release_before(const MpiCall& call, Strand& strand) {
  RanksHere* const group = group_of(call);
  switch (call.kind) {
    case OrderKind::meeting:
    case OrderKind::make_window:
    case OrderKind::fence:
      return enter_collective(strand, group, true);
    case OrderKind::from_root:
    case OrderKind::to_root:
      return enter_rooted(strand, group, call, is_root(group, call));
    case OrderKind::start:
      return release_to_all(strand, group);
    case OrderKind::send:
    case OrderKind::send_met:
    case OrderKind::start_send:
    case OrderKind::start_send_met:
      return send_to(strand, group, call);
    case OrderKind::receive:
    case OrderKind::await:
      return release_to(strand, group, call.from);
    case OrderKind::exchange:
      send_to(strand, group, call);
      return release_to(strand, group, call.from);
    case OrderKind::unlock:
      return release(strand, clock_of(call.win, !ends_exclusive(call.win, call.to)));
    case OrderKind::epoch:
      return release(strand, clock_of(call.win));
    case OrderKind::complete:
    case OrderKind::look:
      return begin_completing(call);
    case OrderKind::receive_matched:
    case OrderKind::await_matched:
      return begin_receiving(strand, call);
    case OrderKind::probe:
    case OrderKind::match:
    case OrderKind::lock:
    case OrderKind::sync:
      return;
    case OrderKind::free_window:
      being_freed = forget_window(key_of(call.win));
      return release(strand, clocks->everyone);
    case OrderKind::any:
      stop_counting();
      [[fallthrough]];
    default:
      return release(strand, clocks->everyone);
  }
}

// Only an exclusive lock waits for those who share one.
void enter_lock(const MpiCall& call, Strand& strand, uint64_t origin) {
  acquire(strand, clock_of(call.win), origin);
  if (call.lock != MPI_LOCK_EXCLUSIVE) return;
  acquire(strand, clock_of(call.win, true), origin);
  note_exclusive(call.win, call.to);
}

void acquire_after(const MpiCall& call, Strand& strand, uint64_t origin) {
  acquire(strand, clocks->everyone, origin);
  RanksHere* const group = call.kind == OrderKind::free_window ? nullptr : group_of(call);
  switch (call.kind) {
    case OrderKind::meeting:
    case OrderKind::make_window:
    case OrderKind::fence:
      return leave_collective(strand, group, true, origin);
    case OrderKind::from_root:
    case OrderKind::to_root:
      return leave_rooted(strand, group, call, is_root(group, call), origin);
    case OrderKind::send_met:
      return acquire_from(strand, group, call.to, origin);
    case OrderKind::receive:
    case OrderKind::exchange:
      return receive_from(strand, group, call, origin);
    case OrderKind::start:
    case OrderKind::send:
    case OrderKind::start_send:
    case OrderKind::start_send_met:
    case OrderKind::await:
    case OrderKind::await_matched:
    case OrderKind::unlock:
      return;
    case OrderKind::complete:
    case OrderKind::look:
      return end_completing(call, strand, origin);
    case OrderKind::probe:
      return call.is_true() ? see_message(strand, group, call, origin) : void();
    case OrderKind::match:
      return call.is_true() ? match_message(strand, group, call, origin) : void();
    case OrderKind::receive_matched:
      return acquire_brought(strand, received.brought, true, origin);
    case OrderKind::lock:
      return enter_lock(call, strand, origin);
    case OrderKind::epoch:
      return acquire(strand, clock_of(call.win), origin);
    case OrderKind::sync:
      return order_by_fence(strand, true, true);
    default:
      return acquire_letters(strand, origin);
  }
}

const char* name_of_routine(Routine routine) {
  const unsigned number = static_cast<unsigned>(routine) - static_cast<unsigned>(Routine::first_own);
  return number < mpi_routines_count ? mpi_routines[number] : "?";
}

__attribute__((constructor)) void give_names() { interpose::name_of_own = name_of_routine; }

}  // namespace

thread_local int nesting = 0;

void before(const MpiCall& call) {
  if (call.kind == OrderKind::finalize) return end_program();
  if (call.kind == OrderKind::abort) return note_abort();
  if (!working || Inside::now() || nesting != 0) return;
  Strand& strand = here();
  settle_polled(strand);
  release_before(call, strand);
  end_release(strand);
}

void after(const MpiCall& call, int status, MPI_Win win) {
  if (call.kind == OrderKind::init) return status == MPI_SUCCESS ? begin_program(call.caller) : void();
  if (call.kind == OrderKind::session && !following) return note_session();
  if (!working || Inside::now() || nesting != 0) return;
  const Origin origin = origin_of(call);
  Strand& strand = here();
  if (status != MPI_SUCCESS) stop_counting();  // nobody knows whether a message came or went
  acquire_after(call, strand, origin.word());
  forget_completed(strand);
  if (call.made && status == MPI_SUCCESS) note_made(call, ranks_of(call.comm));
  if (call.kind == OrderKind::make_window && status == MPI_SUCCESS) {
    begin_window(key_of(win), call.comm, parts_of(win, call.comm), origin);
  }
  if (call.kind == OrderKind::free_window) end_window(being_freed);
}

}  // namespace atrium::race
