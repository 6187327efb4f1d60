// Tasks of gcc's OpenMP, and the loops that are divided into tasks.
// SPDX-License-Identifier: BSD-3-Clause
//
// The library is given tasks of ours. Their arguments are a head that says how the program's task is run, and behind it what
// the program has given that task.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

#include "race/model/access.hpp"
#include "race/threads/gomp_reductions.hpp"
#include "race/threads/next.hpp"
#include "race/threads/team.hpp"

namespace atrium::race {
namespace {

enum TaskFlag : unsigned {
  depends = 1 << 3,
  goes_up = 1 << 8,
  deferred_loop = 1 << 10,
  no_group = 1 << 11,
  has_reductions = 1 << 12,
  is_detached = 1 << 13,
};

// What the program has given a task.
struct Given {
  void (*body)(void*);
  void* data;
  void (*copy)(void*, void*);
  long bytes, alignment;
};

size_t round_up(size_t bytes, size_t alignment) { return (bytes + alignment - 1) / alignment * alignment; }

// Memory for a head and the arguments behind it, both copied from where they are.
template <class Head>
class Arguments {
 public:
  Arguments(const Head& head, const Given& given)
      : alignment_(std::max(static_cast<size_t>(given.alignment), alignof(Head))),
        bytes_(round_up(sizeof(Head), alignment_) + static_cast<size_t>(given.bytes)),
        memory_(::operator new (bytes_, std::align_val_t{alignment_})) {
    new (memory_) Head(head);
    head_().own = round_up(sizeof(Head), alignment_);
    if (!given.copy) std::memcpy(own_of(memory_), given.data, static_cast<size_t>(given.bytes));
  }
  ~Arguments() { ::operator delete (memory_, std::align_val_t{alignment_}); }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  void* memory() const { return memory_; }
  long bytes() const { return static_cast<long>(bytes_); }
  long alignment() const { return static_cast<long>(alignment_); }
  static char* own_of(void* memory) { return static_cast<char*>(memory) + static_cast<Head*>(memory)->own; }

 private:
  Head& head_() { return *static_cast<Head*>(memory_); }
  size_t alignment_, bytes_;
  void* memory_;
};

// The library hands the memory of a task's arguments to later tasks.
void run_body(const Given& given, void* own, const Task& task, uintptr_t frame) {
  {
    const TaskRun run(task, frame);
    given.body(own);
  }
  forget_private(reinterpret_cast<uintptr_t>(own), static_cast<size_t>(given.bytes));
}

struct TaskHead {
  void*
      event;  // of a detached task: the library writes it here, where the program's own arguments begin with it
  Given given;
  bool dependent, detached;
  Task task;
  size_t own;
};

__attribute__((noinline)) void run_task(void* memory) {
  const auto& head = *static_cast<TaskHead*>(memory);
  void* const own = Arguments<TaskHead>::own_of(memory);
  if (head.detached) std::memcpy(own, &head.event, sizeof head.event);
  run_body(head.given, own, head.task, frame_here());
}

// The program's own copying is the creator's last act before the task begins.
void copy_task(void* dest, void* source) {
  auto& head = *static_cast<TaskHead*>(std::memcpy(dest, source, sizeof(TaskHead)));
  if (head.detached) std::memcpy(head.given.data, &head.event, sizeof head.event);
  head.given.copy(Arguments<TaskHead>::own_of(dest), head.given.data);
  head.task = create_task(head.dependent);
}

using TaskRoutine = void(void (*)(void*), void*, void (*)(void*, void*), long, long, bool, unsigned, void**,
                         int, void*);

// Within a final task others are run at once.
bool in_final() {
  NEXT(int(), omp_in_final);
  return next() != 0;
}

// A loop that tasks run.
struct TaskLoop {
  Given given;
  Strand &origin, &parent;
  const uintptr_t* reductions;
  std::atomic<uint64_t>
      left;  // of a loop that its creator does not wait for: how far the tasks are apart from its end
  bool is_waited_for;
};

void end_loop(TaskLoop* loop) {
  end_strand(loop->origin);
  delete loop;
}

// The library writes into the first words between which iterations a task is to run, and reads the other before that.
struct LoopHead {
  uint64_t between[2];
  uintptr_t* reductions;
  TaskLoop* loop;
  Task task;  // if it is known before it begins
  size_t own;
};

__attribute__((noinline)) void run_task_of_loop(void* memory) {
  const auto& head = *static_cast<LoopHead*>(memory);
  TaskLoop* const loop = head.loop;
  const uint64_t iterations = head.between[1] - head.between[0];
  char* const own = Arguments<LoopHead>::own_of(memory);
  std::memcpy(own, head.between, sizeof head.between);
  if (loop->reductions) begin_reductions(loop->reductions);
  run_body(loop->given, own, head.task.parent ? head.task : begin_task(loop->origin, loop->parent),
           frame_here());
  if (!loop->is_waited_for && loop->left.fetch_sub(iterations) == iterations) end_loop(loop);
}

void copy_task_of_loop(void* dest, void* source) {
  auto& head = *static_cast<LoopHead*>(std::memcpy(dest, source, sizeof(LoopHead)));
  head.loop->given.copy(Arguments<LoopHead>::own_of(dest), head.loop->given.data);
  head.task = create_task(false);
}

// All iterations, each as far from the next as the loop steps; as the library counts them.
template <class Count>
uint64_t length_of(bool up, Count begin, Count end, Count step) {
  if (up ? begin >= end : begin <= end) return 0;
  const auto distance = static_cast<uint64_t>(end) - static_cast<uint64_t>(begin);
  const auto one = static_cast<uint64_t>(step);
  return (up ? (distance + one - 1) / one : (-distance - one - 1) / -one) * one;
}

// Calls run(body, data, copy, bytes, alignment) with what makes each task of a loop a strand.
template <class Run>
void in_tasks_of_loop(const Given& given, unsigned flags, uint64_t length, Run run) {
  const bool in_order = !(flags & deferred_loop) || !orders_threads() || !team_here() || in_final();
  if (in_order || length == 0) return run(given);
  uintptr_t* const reductions =
      flags & has_reductions ? static_cast<const LoopHead*>(given.data)->reductions : nullptr;
  auto* const loop =
      new TaskLoop{given, begin_tasks_of_loop(), here(), reductions, {length}, !(flags & no_group)};
  const LoopHead head{{}, reductions, loop, {}, 0};
  const Arguments<LoopHead> arguments(head, given);
  run({run_task_of_loop, arguments.memory(), given.copy ? copy_task_of_loop : nullptr, arguments.bytes(),
       arguments.alignment()});
  if (flags & no_group) return;
  end_loop(loop);
  wait_for_tasks();
}

}  // namespace
}  // namespace atrium::race

using namespace atrium::race;

#define RACE_TASKLOOP(name, Count)                                                                       \
  void name(void (*body)(void*), void* data, void (*copy)(void*, void*), long bytes, long alignment,     \
            unsigned flags, unsigned long tasks, int priority, Count begin, Count end, Count step) {     \
    NEXT(void(void (*)(void*), void*, void (*)(void*, void*), long, long, unsigned, unsigned long, int,  \
              Count, Count, Count),                                                                      \
         name);                                                                                          \
    in_tasks_of_loop({body, data, copy, bytes, alignment}, flags,                                        \
                     length_of(flags& goes_up, begin, end, step), [&](const Given& g) {                  \
                       next(g.body, g.data, g.copy, g.bytes, g.alignment, flags, tasks, priority, begin, \
                            end, step);                                                                  \
                     });                                                                                 \
  }

#pragma GCC visibility push(default)
extern "C" {

void GOMP_task(void (*body)(void*), void* data, void (*copy)(void*, void*), long bytes, long alignment,
               bool deferred, unsigned flags, void** depend, int priority, void* detach) {
  NEXT(TaskRoutine, GOMP_task);
  if (!orders_threads() || !team_here())
    return next(body, data, copy, bytes, alignment, deferred, flags, depend, priority, detach);
  const bool dependent = flags & depends;
  const Given given{body, data, copy, bytes, alignment};
  const Arguments<TaskHead> arguments(
      {nullptr, given, dependent, (flags & is_detached) != 0, copy ? Task{} : create_task(dependent), 0},
      given);
  next(run_task, arguments.memory(), copy ? copy_task : nullptr, arguments.bytes(), arguments.alignment(),
       deferred, flags, depend, priority, detach);
  if (!deferred || in_final()) wait_for_children();
}
RACE_TASKLOOP(GOMP_taskloop, long)
RACE_TASKLOOP(GOMP_taskloop_ull, unsigned long long)

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

// A task that has been detached ends here, by whatever thread.
void omp_fulfill_event(uintptr_t event) {
  NEXT(void(uintptr_t), omp_fulfill_event);
  if (orders_threads()) end_detached_task();
  next(event);
}
void omp_fulfill_event_(uintptr_t* event) { omp_fulfill_event(*event); }

// Regions for a device that are tasks are run by this one's threads where there is no device, and not followed: the threads
// of the PE are taken to be in order from then on.
void GOMP_target_ext(int device, void (*body)(void*), size_t count, void** addresses, size_t* sizes,
                     unsigned short* kinds, unsigned flags, void** depend, void** arguments) {
  NEXT(void(int, void (*)(void*), size_t, void**, size_t*, unsigned short*, unsigned, void**, void**),
       GOMP_target_ext);
  constexpr unsigned nowait = 1;
  if ((flags & nowait) && orders_threads()) threads_unseen = true;
  next(device, body, count, addresses, sizes, kinds, flags, depend, arguments);
}

}  // extern "C"
#pragma GCC visibility pop
