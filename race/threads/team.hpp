// OpenMP: teams of threads, and the sections and tasks that run as strands of their own.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "race/threads/sync.hpp"

namespace atrium::race {

// What the threads of a parallel region leave for each other. Used again and again.
struct ThreadTeam {
  Knowledge start, ends, tasks, ordered;
  Knowledge barrier[2];  // by turns
  ThreadTeam* next_free = nullptr;
};

ThreadTeam* open_team(Strand& parent);              // the parent's knowledge goes to all
void close_team(ThreadTeam* team, Strand& parent);  // and theirs to the parent

// A thread in a team. Restores what it was in before.
class Membership {
 public:
  explicit Membership(ThreadTeam* team, uintptr_t frame);
  ~Membership();
  Membership(const Membership&) = delete;
  Membership& operator=(const Membership&) = delete;

 private:
  ThreadTeam* outer_;
  unsigned outer_turn_;
  uintptr_t outer_frame_;
  const uintptr_t* outer_reductions_;
  Strand* outer_section_base_;
};

ThreadTeam* team_here();                // nullptr: no parallel region
const uintptr_t*& shared_reductions();  // of the worksharing construct that this thread is in
[[gnu::always_inline]] inline uintptr_t frame_here() {
  return reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
}
void arrive_at_barrier();
void leave_barrier();

// A section begins, after the one before it has ended; both come after what the thread did before all of them.
void begin_section();
void end_sections();

// A task: created by the strand that runs here.
struct Task {
  Strand* strand;  // nullptr: more tasks at a time than are distinguished
  Strand* parent;
  ThreadTeam* team;
  bool dependent;
};
Task create_task(bool dependent);
// Tasks that a loop makes of its iterations, when they begin: after what their creator had done when it came to the loop.
Strand& begin_tasks_of_loop();
Task begin_task(const Strand& origin, Strand& parent);
class TaskRun {
 public:
  TaskRun(const Task& task, uintptr_t frame);
  ~TaskRun();
  TaskRun(const TaskRun&) = delete;
  TaskRun& operator=(const TaskRun&) = delete;

 private:
  Task task_;
  Strand* thread_;
  ThreadTeam* outer_team_;
};
void wait_for_children();
void wait_for_tasks();  // of the whole team
void end_detached_task();

}  // namespace atrium::race
