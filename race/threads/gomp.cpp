// What gcc's OpenMP calls: each routine of libgomp that orders threads, in front of it.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>

#include "race/model/access.hpp"
#include "race/threads/next.hpp"
#include "race/threads/team.hpp"

namespace atrium::race {
namespace {

bool active() { return following && !Inside::now(); }

uintptr_t frame() { return reinterpret_cast<uintptr_t>(__builtin_frame_address(0)); }

struct ParallelRegion {
  void (*body)(void*);
  void* data;
  Team* team;
};

__attribute__((noinline)) void run_member(void* argument) {
  const ParallelRegion& region = *static_cast<ParallelRegion*>(argument);
  const Membership membership(region.team, frame());
  region.body(region.data);
  end_sections();
}

// Calls run(body, data) with what makes each thread a member of the team.
template <class Run>
auto in_parallel(void (*body)(void*), void* data, Run run) {
  if (!active()) return run(body, data);
  Strand& parent = here();
  ParallelRegion region{body, data, open_team(parent)};
  if constexpr (std::is_void_v<decltype(run(body, data))>) {
    run(run_member, &region);
    close_team(region.team, parent);
  } else {
    const auto result = run(run_member, &region);
    close_team(region.team, parent);
    return result;
  }
}

// In front of a task's own arguments.
struct alignas(64) TaskHead {
  void (*body)(void*);
  void (*copy)(void*, void*);
  void* data;
  size_t bytes;  // of the arguments
  bool dependent;
  Task task;
};

size_t head_bytes(long alignment) {
  const auto whole = static_cast<size_t>(alignment > 64 ? alignment : 64);
  return (sizeof(TaskHead) + whole - 1) / whole * whole;
}

struct TaskBlock {
  TaskHead head;
  size_t offset;
};

// The library hands the memory of a task's arguments to later tasks.
__attribute__((noinline)) void run_task(void* argument) {
  const auto& block = *static_cast<TaskBlock*>(argument);
  char* const own = static_cast<char*>(argument) + block.offset;
  {
    const TaskRun run(block.head.task, frame());
    block.head.body(own);
  }
  forget_private(reinterpret_cast<uintptr_t>(own), block.head.bytes);
}

// The program's own copying is the creator's last act before the task begins.
void copy_task(void* dest, void* source) {
  auto& copied = *static_cast<TaskBlock*>(std::memcpy(dest, source, sizeof(TaskBlock)));
  copied.head.copy(static_cast<char*>(dest) + copied.offset, copied.head.data);
  copied.head.task = create_task(copied.head.dependent);
}

constexpr unsigned task_depends = 8;  // GOMP_TASK_FLAG_DEPEND

using TaskRoutine = void(void (*)(void*), void*, void (*)(void*, void*), long, long, bool, unsigned, void**,
                         int, void*);

void start_task(TaskRoutine* next, void (*body)(void*), void* data, void (*copy)(void*, void*), long bytes,
                long alignment, bool deferred, unsigned flags, void** depend, int priority, void* detach) {
  const size_t offset = head_bytes(alignment) + 64;
  const size_t whole = (offset + static_cast<size_t>(bytes) + 63) / 64 * 64;
  const size_t aligned = static_cast<size_t>(alignment > 64 ? alignment : 64);
  auto* const block =
      static_cast<char*>(std::aligned_alloc(aligned, (whole + aligned - 1) / aligned * aligned));
  const size_t at = (offset + aligned - 1) / aligned * aligned;
  const bool dependent = flags & task_depends;
  auto* const first =
      new (block) TaskBlock{{body, copy, data, static_cast<size_t>(bytes), dependent, {}}, at};
  if (!copy) {
    std::memcpy(block + at, data, static_cast<size_t>(bytes));
    first->head.task = create_task(dependent);
  }
  next(run_task, block, copy ? copy_task : nullptr, static_cast<long>(at) + bytes, static_cast<long>(aligned),
       deferred, flags, depend, priority, detach);
  if (!deferred) wait_for_children();
  std::free(block);
}

char unnamed_critical, any_atomic;

}  // namespace
}  // namespace atrium::race

using namespace atrium::race;

#define RACE_BARRIER(name)                \
  void name() {                           \
    NEXT(void(), name);                   \
    if (!orders_threads()) return next(); \
    end_sections();                       \
    arrive_at_barrier();                  \
    next();                               \
    leave_barrier();                      \
  }
#define RACE_BARRIER_CANCEL(name)         \
  bool name() {                           \
    NEXT(bool(), name);                   \
    if (!orders_threads()) return next(); \
    end_sections();                       \
    arrive_at_barrier();                  \
    const bool cancelled = next();        \
    leave_barrier();                      \
    return cancelled;                     \
  }
#define RACE_PARALLEL_LOOP(name)                                                                            \
  void name(void (*body)(void*), void* data, unsigned threads, long begin, long end, long step, long chunk, \
            unsigned flags) {                                                                               \
    using Body = void (*)(void*);                                                                           \
    NEXT(void(Body, void*, unsigned, long, long, long, long, unsigned), name);                              \
    in_parallel(body, data, [&](Body b, void* d) { next(b, d, threads, begin, end, step, chunk, flags); }); \
  }
#define RACE_PARALLEL_RUNTIME(name)                                                                  \
  void name(void (*body)(void*), void* data, unsigned threads, long begin, long end, long step,      \
            unsigned flags) {                                                                        \
    using Body = void (*)(void*);                                                                    \
    NEXT(void(Body, void*, unsigned, long, long, long, unsigned), name);                             \
    in_parallel(body, data, [&](Body b, void* d) { next(b, d, threads, begin, end, step, flags); }); \
  }
#define RACE_ENTER(name, object) \
  void name() {                  \
    NEXT(void(), name);          \
    next();                      \
    acquired(object);            \
  }
#define RACE_LEAVE(name, object) \
  void name() {                  \
    NEXT(void(), name);          \
    released(object);            \
    next();                      \
  }

#pragma GCC visibility push(default)
extern "C" {

void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags) {
  using Body = void (*)(void*);
  NEXT(void(Body, void*, unsigned, unsigned), GOMP_parallel);
  in_parallel(body, data, [&](Body b, void* d) { next(b, d, threads, flags); });
}
unsigned GOMP_parallel_reductions(void (*body)(void*), void* data, unsigned threads, unsigned flags) {
  using Body = void (*)(void*);
  NEXT(unsigned(Body, void*, unsigned, unsigned), GOMP_parallel_reductions);
  return in_parallel(body, data, [&](Body b, void* d) { return next(b, d, threads, flags); });
}
void GOMP_parallel_sections(void (*body)(void*), void* data, unsigned threads, unsigned count,
                            unsigned flags) {
  using Body = void (*)(void*);
  NEXT(void(Body, void*, unsigned, unsigned, unsigned), GOMP_parallel_sections);
  in_parallel(body, data, [&](Body b, void* d) { next(b, d, threads, count, flags); });
}
RACE_PARALLEL_LOOP(GOMP_parallel_loop_static)
RACE_PARALLEL_LOOP(GOMP_parallel_loop_dynamic)
RACE_PARALLEL_LOOP(GOMP_parallel_loop_guided)
RACE_PARALLEL_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
RACE_PARALLEL_LOOP(GOMP_parallel_loop_nonmonotonic_guided)
RACE_PARALLEL_RUNTIME(GOMP_parallel_loop_runtime)
RACE_PARALLEL_RUNTIME(GOMP_parallel_loop_nonmonotonic_runtime)
RACE_PARALLEL_RUNTIME(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

RACE_BARRIER(GOMP_barrier)
RACE_BARRIER(GOMP_loop_end)
RACE_BARRIER(GOMP_sections_end)
RACE_BARRIER_CANCEL(GOMP_barrier_cancel)
RACE_BARRIER_CANCEL(GOMP_loop_end_cancel)
RACE_BARRIER_CANCEL(GOMP_sections_end_cancel)

unsigned GOMP_sections_start(unsigned count) {
  NEXT(unsigned(unsigned), GOMP_sections_start);
  const unsigned section = next(count);
  if (section != 0 && orders_threads()) begin_section();
  return section;
}
unsigned GOMP_sections_next() {
  NEXT(unsigned(), GOMP_sections_next);
  const unsigned section = next();
  if (section != 0 && orders_threads()) begin_section();
  return section;
}
void GOMP_sections_end_nowait() {
  NEXT(void(), GOMP_sections_end_nowait);
  if (orders_threads()) end_sections();
  next();
}

void* GOMP_single_copy_start() {
  NEXT(void*(), GOMP_single_copy_start);
  void* const copy = next();
  if (copy && orders_threads() && team_here()) take(here(), team_here()->ordered);
  return copy;
}
void GOMP_single_copy_end(void* copy) {
  NEXT(void(void*), GOMP_single_copy_end);
  if (orders_threads() && team_here()) leave(here(), team_here()->ordered);
  next(copy);
}

RACE_ENTER(GOMP_critical_start, &unnamed_critical)
RACE_LEAVE(GOMP_critical_end, &unnamed_critical)
RACE_ENTER(GOMP_atomic_start, &any_atomic)
RACE_LEAVE(GOMP_atomic_end, &any_atomic)
RACE_ENTER(GOMP_ordered_start, team_here())
RACE_LEAVE(GOMP_ordered_end, team_here())
void GOMP_critical_name_start(void** name) {
  NEXT(void(void**), GOMP_critical_name_start);
  next(name);
  acquired(name);
}
void GOMP_critical_name_end(void** name) {
  NEXT(void(void**), GOMP_critical_name_end);
  released(name);
  next(name);
}

void omp_set_lock(void** lock) {
  NEXT(void(void**), omp_set_lock);
  next(lock);
  acquired(lock);
}
void omp_unset_lock(void** lock) {
  NEXT(void(void**), omp_unset_lock);
  released(lock);
  next(lock);
}
int omp_test_lock(void** lock) {
  NEXT(int(void**), omp_test_lock);
  const int taken = next(lock);
  if (taken) acquired(lock);
  return taken;
}

void omp_set_nest_lock(void** lock) {
  NEXT(void(void**), omp_set_nest_lock);
  next(lock);
  acquired(lock);
}
void omp_unset_nest_lock(void** lock) {
  NEXT(void(void**), omp_unset_nest_lock);
  released(lock);
  next(lock);
}
int omp_test_nest_lock(void** lock) {
  NEXT(int(void**), omp_test_nest_lock);
  const int depth = next(lock);
  if (depth) acquired(lock);
  return depth;
}

void GOMP_task(void (*body)(void*), void* data, void (*copy)(void*, void*), long bytes, long alignment,
               bool deferred, unsigned flags, void** depend, int priority, void* detach) {
  NEXT(TaskRoutine, GOMP_task);
  if (!orders_threads() || !team_here())
    return next(body, data, copy, bytes, alignment, deferred, flags, depend, priority, detach);
  start_task(next, body, data, copy, bytes, alignment, deferred, flags, depend, priority, detach);
}
void GOMP_taskwait() {
  NEXT(void(), GOMP_taskwait);
  next();
  if (orders_threads()) wait_for_children();
}
void GOMP_taskwait_depend(void** depend) {
  NEXT(void(void**), GOMP_taskwait_depend);
  next(depend);
  if (orders_threads()) wait_for_children();
}
void GOMP_taskgroup_end() {
  NEXT(void(), GOMP_taskgroup_end);
  next();
  if (orders_threads()) wait_for_tasks();
}

// What these order is not followed: the threads of the PE are taken to be in order from then on.
void GOMP_taskloop(void (*body)(void*), void* data, void (*copy)(void*, void*), long bytes, long alignment,
                   unsigned flags, unsigned long count, int priority, long begin, long end, long step) {
  NEXT(void(void (*)(void*), void*, void (*)(void*, void*), long, long, unsigned, unsigned long, int, long,
            long, long),
       GOMP_taskloop);
  if (orders_threads()) threads_unseen = true;
  next(body, data, copy, bytes, alignment, flags, count, priority, begin, end, step);
}

}  // extern "C"
#pragma GCC visibility pop
