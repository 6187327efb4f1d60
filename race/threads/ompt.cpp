// OpenMP of clang and others: their run-time library calls tools at each event (OpenMP 5, chapter 19).
// SPDX-License-Identifier: BSD-3-Clause
//
// The types are those of omp-tools.h, as far as they are used; not every compiler has that header.
#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "race/model/access.hpp"
#include "race/model/job.hpp"
#include "race/threads/team.hpp"

namespace atrium::race {
namespace {

union Data {
  uint64_t value;
  void* pointer;
};
using AnyCallback = void (*)();
using Lookup = AnyCallback (*)(const char*);
using SetCallback = int (*)(int, AnyCallback);
using TaskMemory = int (*)(void** address, size_t* bytes, int block);

enum OmptEvent {
  parallel_begin = 3,
  parallel_end,
  task_create,
  task_schedule,
  implicit_task,
  mutex_released = 17,
  sync_region = 23,
  mutex_acquired = 27
};
enum ScopeEndpoint { at_begin = 1, at_end = 2 };
enum SyncRegion { taskwait = 5, taskgroup = 6, reduction = 7 };  // all others are barriers
constexpr int initial_flag = 1, explicit_flag = 4, undeferred_flag = 0x08000000;
constexpr int complete = 1, cancelled = 3;

// What is known of a task of OpenMP: a thread's part of a region, or an explicit task.
struct TaskData {
  Membership* membership;
  Strand* strand;
  Task task;
  TaskRun* run;
};

TaskData* known(Data* data) { return data ? static_cast<TaskData*>(data->pointer) : nullptr; }

uintptr_t frame() { return reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) + 128; }

void on_parallel_begin(Data*, const void*, Data* parallel, unsigned, int, const void*) {
  parallel->pointer = following ? open_team(here()) : nullptr;
}

void on_parallel_end(Data* parallel, Data*, int, const void*) {
  if (following && parallel->pointer) close_team(static_cast<ThreadTeam*>(parallel->pointer), here());
}

void on_implicit_task(int endpoint, Data* parallel, Data* task, unsigned, unsigned, int flags) {
  if (flags & initial_flag) return;
  if (endpoint == at_begin && following && parallel && parallel->pointer) {
    auto* membership = new Membership(static_cast<ThreadTeam*>(parallel->pointer), frame());
    task->pointer = new TaskData{membership, &here(), {}, nullptr};
  } else if (endpoint == at_end && known(task)) {
    delete known(task)->membership;
    delete known(task);
    task->pointer = nullptr;
  }
}

// A thread may leave the last barrier of a region when the region is over: so it leaves what it knows on arrival.
void on_sync_region(int kind, int endpoint, Data*, Data*, const void*) {
  if (!following || !threads_exist || kind == reduction) return;
  if (kind == taskwait || kind == taskgroup) {
    if (endpoint == at_end) kind == taskwait ? wait_for_children() : wait_for_tasks();
    return;
  }
  if (endpoint == at_begin && team_here()) {
    leave(here(), team_here()->ends);
    arrive_at_barrier();
  }
  if (endpoint == at_end) leave_barrier();
}

void on_mutex_acquired(int, uint64_t object, const void*) {
  if (following && threads_exist) take(here(), knowledge_at(reinterpret_cast<const void*>(object)));
}

void on_mutex_released(int, uint64_t object, const void*) {
  if (following && threads_exist) leave(here(), knowledge_at(reinterpret_cast<const void*>(object)));
}

// A task that is not deferred is a part of the task that creates it.
void on_task_create(Data*, const void*, Data* created, int flags, int has_dependences, const void*) {
  if (!following || !team_here() || !(flags & explicit_flag) || (flags & undeferred_flag)) return;
  created->pointer = new TaskData{nullptr, nullptr, create_task(has_dependences), nullptr};
}

// Copies of what a task was given lie in memory that the library hands to later tasks without malloc.
TaskMemory task_memory = nullptr;
void forget_memory_of_this_task() {
  void* address = nullptr;
  size_t bytes = 0;
  for (int block = 0, more = 1; more; ++block) {
    more = task_memory(&address, &bytes, block);
    if (bytes > 0) forget_private(reinterpret_cast<uintptr_t>(address), bytes);
  }
}

void on_task_schedule(Data* prior, int status, Data* next) {
  if (!following) return;
  if (task_memory && (status == complete || status == cancelled)) forget_memory_of_this_task();
  if (TaskData* const ended = known(prior);
      ended && ended->run && (status == complete || status == cancelled)) {
    delete ended->run;
    delete ended;
    prior->pointer = nullptr;
  }
  TaskData* const task = known(next);
  if (!task) return;
  if (task->membership)
    set_here(task->strand);
  else if (!task->run)
    task->run = new TaskRun(task->task, frame());
  else if (task->task.strand)
    set_here(task->task.strand);
}

int begin_tool(Lookup lookup, int, Data*) {
  const auto set = reinterpret_cast<SetCallback>(lookup("ompt_set_callback"));
  if (!set) return 0;
  task_memory = reinterpret_cast<TaskMemory>(lookup("ompt_get_task_memory"));
  const auto install = [&](OmptEvent event, auto* callback) {
    set(event, reinterpret_cast<AnyCallback>(callback));
  };
  install(parallel_begin, on_parallel_begin);
  install(parallel_end, on_parallel_end);
  install(implicit_task, on_implicit_task);
  install(sync_region, on_sync_region);
  install(mutex_acquired, on_mutex_acquired);
  install(mutex_released, on_mutex_released);
  install(task_create, on_task_create);
  install(task_schedule, on_task_schedule);
  return 1;
}

void end_tool(Data*) {}

struct StartToolResult {
  int (*begin)(Lookup, int, Data*);
  void (*end)(Data*);
  Data data;
};

// A run-time library that was linked with -Bsymbolic-functions, as Ubuntu 24.04's, asks its own ompt_start_tool in place of ours, and then
// the libraries that this variable names. Programs that this one starts are not to do so: it is as it was when we have been asked.
constexpr const char* tool_libraries = "OMP_TOOL_LIBRARIES";
std::string* others = nullptr;  // what the variable was, if ours is in it

__attribute__((constructor)) void be_found() {
  Dl_info self;
  if (!dlsym(RTLD_DEFAULT, "__kmpc_fork_call") || !wanted()) return;
  if (dladdr(reinterpret_cast<void*>(be_found), &self) == 0 || !self.dli_fname) return;
  const char* const before = std::getenv(tool_libraries);
  others = new std::string(before ? before : "");
  setenv(tool_libraries, (self.dli_fname + (others->empty() ? "" : ":" + *others)).c_str(), 1);
}

void take_back() {
  if (!others) return;
  if (others->empty())
    unsetenv(tool_libraries);
  else
    setenv(tool_libraries, others->c_str(), 1);
}

}  // namespace
}  // namespace atrium::race

extern "C" __attribute__((visibility("default"))) void* ompt_start_tool(unsigned, const char*) {
  static atrium::race::StartToolResult result{atrium::race::begin_tool, atrium::race::end_tool, {}};
  atrium::race::take_back();
  return atrium::race::wanted() ? &result : nullptr;
}
