// The race checker as a tool: what each family of routines means to the check. While nothing is checked it does nothing.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/tool.hpp"

#include "interpose/say.hpp"
#include "race/model/site.hpp"
#include "race/openshmem/collectives.hpp"
#include "race/openshmem/memory.hpp"
#include "race/openshmem/order.hpp"
#include "race/openshmem/synchronising.hpp"
#include "race/openshmem/transfers.hpp"
#include "race/session/session.hpp"

namespace atrium::race {
namespace {

using interpose::RoutineFamily;

// A meeting of the group, which may be one that this PE is no member of.
bool begin_barrier(RoutineCall& operation, bool completes) {
  if (!operation.group) return false;
  operation.scratch.make<BarrierUse>(operation.site, *operation.group, completes);
  return true;
}

bool begin_put(RoutineCall& put) {
  const bool is_single = put.count == 1 && put.unit <= 8 && !put.nonblocking && !put.strides;
  if (is_single) return begin_flag_put(put);
  note_put(put);
  return false;
}

bool begin_collective(RoutineCall& collective) {
  if (!collective.group) return false;
  collective.scratch.make<CollectiveUse>(collective);
  return true;
}

void begin_free(RoutineCall& operation) {
  operation.place = origin_of(operation.site, operation.block_bytes).word();
  if (operation.family == RoutineFamily::free ? operation.dest != nullptr : operation.block_bytes != 0)
    note_freed(operation);
}

// A finalize that ends no session is a barrier.
bool begin_finalize(RoutineCall& operation) {
  if (!ends_session()) return working && begin_barrier(operation, true);
  note_finalize(operation.site);
  return false;
}

// Whether something lies in its scratch that ends when the routine has run.
bool begin(RoutineCall& operation) {
  switch (operation.family) {
    case RoutineFamily::put:
      return begin_put(operation);
    case RoutineFamily::get:
      return note_get(operation), false;
    case RoutineFamily::put_signal:
      return begin_signal_put(operation);
    case RoutineFamily::atomic:
      return begin_atomic(operation);
    case RoutineFamily::barrier:
      return begin_barrier(operation, true);
    case RoutineFamily::sync:
    case RoutineFamily::team_split:  // synchronises the parent team
      return begin_barrier(operation, false);
    case RoutineFamily::reduce:
    case RoutineFamily::scan:
    case RoutineFamily::collect:
    case RoutineFamily::fcollect:
    case RoutineFamily::alltoall:
    case RoutineFamily::broadcast:
    case RoutineFamily::broadcast_others:
      return begin_collective(operation);
    case RoutineFamily::free:
    case RoutineFamily::reallocate:
      return begin_free(operation), false;
    case RoutineFamily::clear_lock:
      return note_unlock(operation), false;
    case RoutineFamily::team_destroy:  // all have left its last collective when its place is used again
      if (operation.team != SHMEM_TEAM_INVALID) pshmem_team_sync(operation.team);
      return false;
    case RoutineFamily::ctx_destroy:
      return complete_context(here(), interpose::context_of(operation.ctx)), false;
    default:
      return false;
  }
}

void end_reallocate(RoutineCall& operation, void* moved) {
  if (moved) return note_allocated(operation, moved, operation.count, true);
  if (operation.count != 0 && operation.block_bytes != 0)  // it stays where it is
    note_allocated(operation, operation.dest, operation.block_bytes, true);
}

void end(RoutineCall& operation, uint64_t result) {
  void* const block = reinterpret_cast<void*>(result);
  switch (operation.family) {
    case RoutineFamily::wait:
    case RoutineFamily::test:
    case RoutineFamily::signal_fetch:
      return note_seen(operation, result);
    case RoutineFamily::fence:
      return fence_context(here(), interpose::context_of(operation.ctx));
    case RoutineFamily::quiet:
      return complete_context(here(), interpose::context_of(operation.ctx));
    case RoutineFamily::pe_quiet:
      return note_pe_quiet(operation);
    case RoutineFamily::set_lock:
      return note_lock(operation);
    case RoutineFamily::test_lock:
      return result == 0 ? note_lock(operation) : void();
    case RoutineFamily::allocate:
      operation.place = origin_of(operation.site, operation.count).word();
      return operation.count != 0 ? note_allocated(operation, block, operation.count, operation.written)
                                  : void();
    case RoutineFamily::reallocate:
      return end_reallocate(operation, block);
    default:
      return;
  }
}

void end_scratch(RoutineCall& operation) {
  interpose::ToolScratch& scratch = operation.scratch;
  switch (operation.family) {
    case RoutineFamily::put:
    case RoutineFamily::put_signal:
    case RoutineFamily::atomic:
      return scratch.end<HeldWord>();
    case RoutineFamily::barrier:
    case RoutineFamily::sync:
    case RoutineFamily::team_split:
    case RoutineFamily::finalize:
      return scratch.end<BarrierUse>();
    default:
      scratch.get<CollectiveUse>().wrote(operation);
      return scratch.end<CollectiveUse>();
  }
}

}  // namespace
}  // namespace atrium::race

namespace atrium::interpose {

const char* const tool_name = "race check";

void before(RoutineCall& operation) {
  if (operation.family == RoutineFamily::finalize)
    operation.open = race::begin_finalize(operation);
  else if (operation.family == RoutineFamily::global_exit)
    race::note_exit();
  else if (race::working)
    operation.open = race::begin(operation);
}

void after(RoutineCall& operation, uint64_t result) {
  if (operation.open)
    race::end_scratch(operation);
  else if (operation.family == RoutineFamily::init && result == 0)
    race::note_init(operation.site);
  else if (race::working)
    race::end(operation, result);
}

}  // namespace atrium::interpose
