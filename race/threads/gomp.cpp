// Replaces each routine of libgomp, gcc's OpenMP, that orders threads, and then calls the original. Tasks: gomp_tasks.cpp.
// SPDX-License-Identifier: BSD-3-Clause
#include <type_traits>

#include "race/threads/gomp_reductions.hpp"
#include "race/threads/next.hpp"
#include "race/threads/team.hpp"

namespace atrium::race {
namespace {

bool active() { return following && !Inside::now(); }

struct ParallelRegion {
  uintptr_t* reductions;  // of tasks; libgomp finds them at the beginning of a region's data
  void (*body)(void*);
  void* data;
  ThreadTeam* team;
};

__attribute__((noinline)) void run_member(void* argument) {
  const ParallelRegion& region = *static_cast<ParallelRegion*>(argument);
  const Membership membership(region.team, frame_here());
  if (region.reductions) begin_reductions(region.reductions);
  region.body(region.data);
  end_sections();
}

// Calls run(body, data) with what makes each thread a member of the team.
template <class Run>
auto in_parallel(void (*body)(void*), void* data, Run run, uintptr_t* reductions = nullptr) {
  if (!active()) return run(body, data);
  Strand& parent = here();
  ParallelRegion region{reductions, body, data, open_team(parent)};
  if constexpr (std::is_void_v<decltype(run(body, data))>) {
    run(run_member, &region);
    close_team(region.team, parent);
  } else {
    const auto result = run(run_member, &region);
    close_team(region.team, parent);
    return result;
  }
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
#define RACE_LOCK(set, unset, test)          \
  void set(void** lock) {                    \
    NEXT_OF("OMP_3.0", void(void**), set);   \
    next(lock);                              \
    acquired(lock);                          \
  }                                          \
  void unset(void** lock) {                  \
    NEXT_OF("OMP_3.0", void(void**), unset); \
    released(lock);                          \
    next(lock);                              \
  }                                          \
  int test(void** lock) {                    \
    NEXT_OF("OMP_3.0", int(void**), test);   \
    const int taken = next(lock);            \
    if (taken) acquired(lock);               \
    return taken;                            \
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
  return in_parallel(
      body, data, [&](Body b, void* d) { return next(b, d, threads, flags); },
      *static_cast<uintptr_t**>(data));
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
unsigned GOMP_sections2_start(unsigned count, uintptr_t* reductions, void** memory) {
  NEXT(unsigned(unsigned, uintptr_t*, void**), GOMP_sections2_start);
  const unsigned section = next(count, reductions, memory);
  if (reductions) share_reductions(reductions);
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

RACE_LOCK(omp_set_lock, omp_unset_lock, omp_test_lock)
RACE_LOCK(omp_set_nest_lock, omp_unset_nest_lock, omp_test_nest_lock)
RACE_LOCK(omp_set_lock_, omp_unset_lock_, omp_test_lock_)  // of Fortran programs
RACE_LOCK(omp_set_nest_lock_, omp_unset_nest_lock_, omp_test_nest_lock_)

}  // extern "C"
#pragma GCC visibility pop
