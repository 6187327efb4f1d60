// Where libgomp has put the copies of reductions over tasks, and its routines that begin and end them.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/threads/gomp_reductions.hpp"

#include "race/shadow/private.hpp"
#include "race/threads/next.hpp"
#include "race/threads/team.hpp"

namespace atrium::race {
namespace {

// The words of a descriptor that are known here (libgomp/task.c): descriptors are chained, also to those of reductions
// around this one, which are the ones that have a table.
enum DescriptorWord { copies_begin = 2, next_one = 4, table = 5, copies_end = 6 };

const uintptr_t* behind(const uintptr_t* descriptor) {
  const auto* next = reinterpret_cast<const uintptr_t*>(descriptor[next_one]);
  return next && next[table] == 0 ? next : nullptr;
}

}  // namespace

void begin_reductions(const uintptr_t* descriptor) {
  if (!following) return;
  for (const uintptr_t* one = descriptor; one; one = behind(one))
    set_apart(descriptor, one[copies_begin], one[copies_end]);
}

void end_reductions(const uintptr_t* descriptor) { put_back(descriptor); }

void share_reductions(const uintptr_t* descriptor) {
  begin_reductions(descriptor);
  shared_reductions() = descriptor;
}

}  // namespace atrium::race

using namespace atrium::race;

// Worksharing constructs that may have reductions.
#define RACE_SHARED(name)                       \
  const bool any = name;                        \
  if (reductions) share_reductions(reductions); \
  return any
#define RACE_LOOP(name, Count)                                                                         \
  bool name(Count begin, Count end, Count step, long schedule, Count chunk, Count* first, Count* last, \
            uintptr_t* reductions, void** memory) {                                                    \
    NEXT(bool(Count, Count, Count, long, Count, Count*, Count*, uintptr_t*, void**), name);            \
    RACE_SHARED(next(begin, end, step, schedule, chunk, first, last, reductions, memory));             \
  }
#define RACE_LOOP_UNSIGNED(name, Count)                                                            \
  bool name(bool up, Count begin, Count end, Count step, long schedule, Count chunk, Count* first, \
            Count* last, uintptr_t* reductions, void** memory) {                                   \
    NEXT(bool(bool, Count, Count, Count, long, Count, Count*, Count*, uintptr_t*, void**), name);  \
    RACE_SHARED(next(up, begin, end, step, schedule, chunk, first, last, reductions, memory));     \
  }
#define RACE_LOOP_DOACROSS(name, Count)                                                           \
  bool name(unsigned loops, Count* counts, long schedule, Count chunk, Count* first, Count* last, \
            uintptr_t* reductions, void** memory) {                                               \
    NEXT(bool(unsigned, Count*, long, Count, Count*, Count*, uintptr_t*, void**), name);          \
    RACE_SHARED(next(loops, counts, schedule, chunk, first, last, reductions, memory));           \
  }

#pragma GCC visibility push(default)
extern "C" {

RACE_LOOP(GOMP_loop_start, long)
RACE_LOOP(GOMP_loop_ordered_start, long)
RACE_LOOP_DOACROSS(GOMP_loop_doacross_start, long)
RACE_LOOP_UNSIGNED(GOMP_loop_ull_start, unsigned long long)
RACE_LOOP_UNSIGNED(GOMP_loop_ull_ordered_start, unsigned long long)
RACE_LOOP_DOACROSS(GOMP_loop_ull_doacross_start, unsigned long long)
void GOMP_scope_start(uintptr_t* reductions) {
  NEXT(void(uintptr_t*), GOMP_scope_start);
  next(reductions);
  if (reductions) share_reductions(reductions);
}

// A thread that has waited for its own tasks waits for the other threads here.
void GOMP_workshare_task_reduction_unregister(bool cancelled) {
  NEXT(void(bool), GOMP_workshare_task_reduction_unregister);
  if (!orders_threads()) return next(cancelled);
  end_sections();
  arrive_at_barrier();
  next(cancelled);
  if (cancelled)
    wait_for_tasks();
  else
    leave_barrier();
  end_reductions(shared_reductions());
}

void GOMP_taskgroup_reduction_register(uintptr_t* reductions) {
  NEXT(void(uintptr_t*), GOMP_taskgroup_reduction_register);
  next(reductions);
  begin_reductions(reductions);
}
void GOMP_taskgroup_reduction_unregister(uintptr_t* reductions) {
  NEXT(void(uintptr_t*), GOMP_taskgroup_reduction_unregister);
  end_reductions(reductions);
  next(reductions);
}

}  // extern "C"
#pragma GCC visibility pop
