// The profiler as a tool: what each family of routines means to the profile.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/tool.hpp"

#include <optional>

#include "interpose/say.hpp"
#include "profile/record/call.hpp"
#include "profile/record/collectives.hpp"
#include "profile/record/heap.hpp"
#include "profile/record/setup.hpp"

namespace atrium::profile {
namespace {

using interpose::Atomic;
using interpose::RoutineCall;
using interpose::RoutineFamily;

// Whether this PE gives the data of a broadcast.
bool is_root(const RoutineCall& operation) {
  return operation.group && operation.group->rank == operation.pe;
}

// What fetches counts as a get; in the trace other atomics are stores that may end a wait, and so is a put with a signal.
What what_of(const RoutineCall& operation) {
  const size_t bytes = operation.bytes();
  switch (operation.family) {
    case RoutineFamily::put:
      return {Role::put, operation.target, bytes, operation.dest};
    case RoutineFamily::put_signal:
      return {Role::put, operation.target, bytes, operation.signal()};
    case RoutineFamily::get:
      return {Role::get, operation.target, bytes};
    case RoutineFamily::atomic:
      return operation.atomic == Atomic::fetch ? What{Role::get, operation.target, bytes}
                                               : What{Role::put, operation.target, bytes, operation.dest};
    case RoutineFamily::wait:
      return {Role::wait, -1, 0, operation.source, bytes};
    case RoutineFamily::quiet:
    case RoutineFamily::pe_quiet:
    case RoutineFamily::set_lock:
      return {Role::wait};
    case RoutineFamily::test:
    case RoutineFamily::signal_fetch:
      return {};
    case RoutineFamily::alltoall:  // bytes are those that a member gives
      return {Role::local, -1, bytes * static_cast<size_t>(operation.group ? operation.group->size() : 0)};
    case RoutineFamily::broadcast:
    case RoutineFamily::broadcast_others:
      return {Role::local, -1, is_root(operation) ? bytes : 0};
    default:
      return {Role::local, -1, bytes};
  }
}

DataFlow flow_of(RoutineFamily family) {
  if (family == RoutineFamily::broadcast || family == RoutineFamily::broadcast_others)
    return DataFlow::from_root;
  return family == RoutineFamily::scan ? DataFlow::lower : DataFlow::all;
}

// The time of these is not the program's, or not a call's.
bool is_booked(RoutineFamily family) {
  switch (family) {
    case RoutineFamily::init:
    case RoutineFamily::team_destroy:
    case RoutineFamily::ctx_create:
    case RoutineFamily::ctx_destroy:
      return false;
    default:
      return true;
  }
}

// Members wait for each other, and all PEs allocate together. So these are counted also while nothing is recorded.
struct Booked {
  explicit Booked(const RoutineCall& operation) : call(operation.site, what_of(operation)) {
    if (operation.group)
      collective.emplace(call, *operation.group, flow_of(operation.family),
                         operation.pe < 0 ? 0 : operation.pe);
  }

  Call call;
  std::optional<RecordedCollective> collective;  // over before the call is
};

bool is_threaded() {
  int level = SHMEM_THREAD_SINGLE;
  pshmem_query_thread(&level);
  return level == SHMEM_THREAD_MULTIPLE;
}

void end_if_last() {
  int initialized = 0;
  pshmem_query_initialized(&initialized);
  if (!initialized) end_recording();
}

void forget_block(const RoutineCall& operation) {
  if (operation.block_bytes != 0)
    change_heap(static_cast<unsigned>(operation.block_place), operation.block_bytes, false);
}

// The line is where its block is from, as long as it lasts.
void note_block(RoutineCall& operation, uint64_t block) {
  const bool moves = operation.family == RoutineFamily::reallocate;
  if (!block && (!moves || operation.count != 0)) return;  // none, or the old one is as it was
  if (moves) forget_block(operation);
  if (!block || operation.count == 0) return;
  operation.place = recording ? line_of(operation.site) : 0;
  change_heap(static_cast<unsigned>(operation.place), operation.count, true);
}

}  // namespace
}  // namespace atrium::profile

namespace atrium::interpose {

const char* const tool_name = "profile";

void before(RoutineCall& operation) {
  if (!profile::present || !profile::is_booked(operation.family)) return;
  if (operation.family == RoutineFamily::free) profile::forget_block(operation);
  operation.scratch.make<profile::Booked>(operation);
  operation.open = true;
}

void after(RoutineCall& operation, uint64_t result) {
  if (operation.open) operation.scratch.end<profile::Booked>();
  if (operation.family == RoutineFamily::init) profile::begin_recording(profile::is_threaded());
  if (operation.family == RoutineFamily::finalize) profile::end_if_last();
  if (profile::present &&
      (operation.family == RoutineFamily::allocate || operation.family == RoutineFamily::reallocate))
    profile::note_block(operation, result);
}

}  // namespace atrium::interpose
