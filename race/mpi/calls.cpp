// What each kind of routine releases before it runs and acquires when it has run.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "interpose/caller.hpp"
#include "race/model/site.hpp"
#include "race/model/word.hpp"
#include "race/mpi/call.hpp"
#include "race/mpi/clocks.hpp"
#include "race/mpi/hints.hpp"
#include "race/mpi/messages.hpp"
#include "race/mpi/operations.hpp"
#include "race/mpi/program.hpp"
#include "race/mpi/ranks.hpp"
#include "race/mpi/requests.hpp"
#include "race/mpi/windows.hpp"
#include "race/threads/sync.hpp"

namespace atrium::race {
namespace {

// Where the message of a call came from: it has found one.
MessageOrigin received_from(const MpiCall& call) { return seen_in(*call.statuses).from; }

// Calls visit(operation) for all that its requests may belong to.
template <class Visit>
void each_claimed(const MpiCall& call, Visit visit) {
  for (const Operations& of_one : call.claimed)
    for (const std::shared_ptr<MpiOperation>& each : of_one) visit(*each);
}

// One that nobody knows may be anything.
void start(const MpiCall& call, const Strand& strand) {
  each_claimed(call, [&strand](MpiOperation& each) {
    if (each.is_planned) return begin_operation(strand, each);
    stop_counting(RaceLimit::unknown_call);
    release(strand, clocks->everyone);
  });
}

// The requests that a call has found complete, by their places in its list, each with its status.
std::vector<std::pair<int, const MPI_Status*>> complete_ones(const MpiCall& call) {
  std::vector<std::pair<int, const MPI_Status*>> found;
  const auto status = [&call](int place) { return call.statuses ? &call.statuses[place] : nullptr; };
  if (!call.is_true()) return found;
  if (call.indices) {
    const int count = *call.done_count == MPI_UNDEFINED ? 0 : *call.done_count;
    for (int each = 0; each < count; ++each) found.emplace_back(call.indices[each], status(each));
  } else if (call.index) {
    if (*call.index != MPI_UNDEFINED) found.emplace_back(*call.index, status(0));
  } else {
    for (int each = 0; each < call.count; ++each) found.emplace_back(each, status(each));
  }
  return found;
}

// What is complete is gone, or can be started again. MPICH 4.0 says other places to mpi_f08.
bool names_complete_ones(const MpiCall& call) {
  for (const auto& [place, status] : complete_ones(call)) {
    if (place < 0 || place >= call.count) return false;
    if (call.kind != OrderKind::complete || call.requests[place] == MPI_REQUEST_NULL) continue;
    const Operations& all = call.claimed[static_cast<size_t>(place)];
    if (all.empty() || !all.front()->is_planned) return false;
  }
  return true;
}

struct CompleteOperation {
  std::shared_ptr<MpiOperation> operation;
  SeenMessage seen;
  bool goes;
};

// Receives in the order in which they were posted: those before tell what those behind have taken.
std::vector<CompleteOperation> complete_operations(const MpiCall& call) {
  std::vector<CompleteOperation> found;
  for (const auto& [place, status] : complete_ones(call)) {
    const Operations& all = call.claimed[static_cast<size_t>(place)];
    for (const std::shared_ptr<MpiOperation>& each : all)
      if (each->is_active)
        found.push_back({each, status ? seen_in(*status) : SeenMessage{},
                         call.kind == OrderKind::complete && each == all.front()});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const CompleteOperation& one, const CompleteOperation& other) {
                     return one.operation->receive < other.operation->receive;
                   });
  return found;
}

void end_request_at(const MpiCall& call, size_t place) {
  end_request(call.requests_before[place], call.claimed[place]);
}

void end_completing(const MpiCall& call, Strand& strand, uint64_t origin) {
  for (const CompleteOperation& each : complete_operations(call)) {
    if (each.goes)
      end_operation(strand, *each.operation, each.seen, origin);
    else
      see_operation(strand, *each.operation, each.seen, origin);
  }
  if (call.kind != OrderKind::complete) return;
  for (const auto& [place, status] : complete_ones(call)) end_request_at(call, static_cast<size_t>(place));
}

// Nobody knows which of them are complete but those that are gone.
void end_unknown_completing(const MpiCall& call, Strand& strand, uint64_t origin) {
  acquire_from_anybody(strand, origin);
  each_claimed(call, [&](MpiOperation& each) { see_operation(strand, each, {}, origin); });
  for (size_t each = 0; each < call.claimed.size(); ++each)
    if (call.kind == OrderKind::complete && call.requests[each] == MPI_REQUEST_NULL)
      end_request_at(call, each);
}

void end_probe(const MpiCall& call, Strand& strand, bool found, uint64_t origin) {
  const Ranks group = ranks_of(call.comm);
  if (found) read_letter(strand, letter_of(group.get(), call.looking, received_from(call)), false, origin);
  drop_receive(group.get(), call.looking);
}

// What it has found is received from now on.
void end_match(const MpiCall& call, Strand& strand, bool found, uint64_t origin) {
  const Ranks group = ranks_of(call.comm);
  if (!found) return drop_receive(group.get(), call.looking);
  const MessageOrigin from = received_from(call);
  const Letter letter = letter_of(group.get(), call.looking, from);
  end_receive(group.get(), call.looking, from);
  read_letter(strand, letter, false, origin);
  note_match(*call.message, letter);
}

thread_local SeenWindow* being_freed = nullptr;

void begin_call(MpiCall& call, Strand& strand) {
  if (is_operation(call.kind)) {
    call.operation = operation_of(call);
    return call.timing == CallTiming::planned ? void() : begin_operation(strand, *call.operation);
  }
  switch (call.kind) {
    case OrderKind::unlock:
      return release(strand, clock_of(call.win, !ends_exclusive(call.win, call.to)));
    case OrderKind::epoch:
      return release(strand, clock_of(call.win));
    case OrderKind::start:
      return start(call, strand);
    case OrderKind::ready:
      return each_claimed(call, [&](const MpiOperation& each) { give_parts(strand, each); });
    case OrderKind::cancel:
      return each_claimed(call, [&](MpiOperation& each) { cancel_operation(strand, each); });
    case OrderKind::free_request:
      each_claimed(call, forget_operation);
      return free_request(call.requests_before.front(), call.claimed.front());
    case OrderKind::probe:
      call.looking = post_probe(ranks_of(call.comm).get(), {call.from, call.received_tag});
      return;
    case OrderKind::match:
      call.looking = post_receive(ranks_of(call.comm).get(), {call.from, call.received_tag});
      return;
    case OrderKind::complete:
    case OrderKind::look:
    case OrderKind::lock:
    case OrderKind::sync:
    case OrderKind::hints:
      return;
    case OrderKind::free_window:
      being_freed = forget_window(key_of(call.win));
      return release(strand, clocks->everyone);
    case OrderKind::any:
      stop_counting(RaceLimit::unknown_call);
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

bool is_of_window(OrderKind kind) {
  return kind == OrderKind::fence || kind == OrderKind::lock || kind == OrderKind::unlock ||
         kind == OrderKind::epoch || kind == OrderKind::sync;
}

void end_call(const MpiCall& call, Strand& strand, bool succeeded, uint64_t origin) {
  if (is_of_window(call.kind)) acquire(strand, clocks->everyone, origin);  // the MPI's own accesses
  if (is_operation(call.kind)) {
    if (call.timing != CallTiming::now || !call.operation) return;
    const bool is_seen = succeeded && call.statuses;
    return end_operation(strand, *call.operation, is_seen ? seen_in(*call.statuses) : SeenMessage{}, origin);
  }
  switch (call.kind) {
    case OrderKind::unlock:
    case OrderKind::start:
    case OrderKind::ready:
    case OrderKind::cancel:
    case OrderKind::free_request:
    case OrderKind::hints:
      return;
    case OrderKind::complete:
    case OrderKind::look:
      return succeeded && names_complete_ones(call) ? end_completing(call, strand, origin)
                                                    : end_unknown_completing(call, strand, origin);
    case OrderKind::probe:
      return end_probe(call, strand, succeeded && call.is_true(), origin);
    case OrderKind::match:
      return end_match(call, strand, succeeded && call.is_true(), origin);
    case OrderKind::lock:
      return enter_lock(call, strand, origin);
    case OrderKind::epoch:
      return acquire(strand, clock_of(call.win), origin);
    case OrderKind::sync:
      return order_by_fence(strand, true, true);
    default:
      return acquire_from_anybody(strand, origin);
  }
}

// What the call has begun comes before what any thread begins from now on.
void end_beginnings(const MpiCall& call) {
  if (call.operation)
    call.timing == CallTiming::planned ? end_planning(*call.operation) : end_beginning(*call.operation);
  if (call.kind == OrderKind::start) each_claimed(call, end_beginning);
  for (const Operations& each : call.claimed) end_claim(each);
}

// One that is made in a way that nobody knows may have a handle that is known.
void note_made(const MpiCall& call) {
  if (call.operation)
    note_request(*call.made, call.operation);
  else
    forget_request(*call.made);
}

const char* name_of_routine(Routine routine) {
  const unsigned number = static_cast<unsigned>(routine) - static_cast<unsigned>(Routine::first_own);
  return number < mpi_routines_count ? mpi_routines[number] : "?";
}

__attribute__((constructor)) void give_names() { interpose::name_of_own = name_of_routine; }

}  // namespace

thread_local int nesting = 0;

void before(MpiCall& call) {
  if (call.kind == OrderKind::finalize) return end_program();
  if (call.kind == OrderKind::abort) return note_abort();
  if (!working || Inside::now() || nesting != 0) return;
  Strand& strand = here();
  settle_polled(strand);
  const InCall in(call);
  if (call.requests) call.requests_before.assign(call.requests, call.requests + std::max(call.count, 0));
  for (const MPI_Request each : call.requests_before) call.claimed.push_back(claim_operations(each));
  begin_call(call, strand);
  end_release(strand);
}

void after(const MpiCall& call, int status, MPI_Win win) {
  const bool succeeded = status == MPI_SUCCESS;
  if (call.kind == OrderKind::init) return succeeded ? begin_program(call.caller) : void();
  if (call.kind == OrderKind::session && !following) return note_session();
  if (!working || Inside::now() || nesting != 0) return;
  const InCall in(call);
  const Origin origin = origin_of(call);
  Strand& strand = here();
  if (!succeeded) stop_counting(RaceLimit::failed_call);  // nobody knows whether a message came or went
  end_call(call, strand, succeeded, origin.word());
  forget_completed(strand);
  if (call.made && succeeded) note_made(call);
  end_beginnings(call);
  if (call.made_comm && succeeded && call.operation && call.operation->group)
    name_communicator(*call.made_comm, *call.operation->group, call.operation->number);
  if (succeeded) follow_hints(call);
  if (call.kind == OrderKind::make_window && succeeded)
    begin_window(key_of(win), call.comm, parts_of(win, call.comm), origin);
  if (call.kind == OrderKind::free_window) end_window(being_freed);
}

}  // namespace atrium::race
