// Turns OpenMP teams, sections and tasks into edges of the order between strands.
// SPDX-License-Identifier: BSD-3-Clause
//
// Barriers pass on all that any member knew when it arrived. Ended tasks leave what they know with the team and with the
// strand that created them; a strand that waits takes it over, with all that has ended by then: too much order, never too little.
// Variables of a task lie on the stack of the thread that runs it, and others write there, its children above all. What they have
// written is forgotten before the thread has something else there that need not come after it.
#include "race/threads/team.hpp"

#include <atomic>
#include <mutex>

#include "race/model/access.hpp"
#include "race/threads/stack.hpp"
#include "race/threads/threads.hpp"

namespace atrium::race {
namespace {

#define TLS __attribute__((tls_model("initial-exec"))) thread_local
TLS ThreadTeam* team = nullptr;
TLS unsigned turn = 0;
TLS uintptr_t region_frame = 0;  // below it lie the frames of the parallel region
TLS const uintptr_t* reductions = nullptr;
TLS Strand* section_base = nullptr;  // the thread's own strand while a section runs
#undef TLS

SpinLock teams_lock;
ThreadTeam* free_teams = nullptr;
std::atomic<int> tasks_alive{0};
constexpr int most_tasks = 2000;

Knowledge& children_of(const Strand& strand) { return knowledge_at(&strand.lane); }

// What was done before detached tasks were fulfilled. Which ones is not followed: a wait for tasks takes it all over.
Knowledge& detached = *new Knowledge;
std::atomic<bool> any_detached{false};
void take_detached(Strand& strand) {
  if (any_detached.load(std::memory_order_relaxed)) take(strand, detached);
}

}  // namespace

ThreadTeam* open_team(Strand& parent) {
  note_threads();
  ThreadTeam* opened;
  {
    std::lock_guard guard(teams_lock);
    opened = free_teams;
    if (opened) free_teams = opened->next_free;
  }
  if (!opened) opened = new ThreadTeam;
  for (Knowledge* one : {&opened->start, &opened->ends, &opened->tasks, &opened->ordered, &opened->barrier[0],
                         &opened->barrier[1]})
    forget(*one);
  replace(parent, opened->start);
  return opened;
}

void close_team(ThreadTeam* closed, Strand& parent) {
  take(parent, closed->ends);
  take(parent, closed->tasks);
  take_detached(parent);
  std::lock_guard guard(teams_lock);
  closed->next_free = free_teams;
  free_teams = closed;
}

Membership::Membership(ThreadTeam* joined, uintptr_t frame)
    : outer_(team),
      outer_turn_(turn),
      outer_frame_(region_frame),
      outer_reductions_(reductions),
      outer_section_base_(section_base) {
  section_base = nullptr;
  team = joined;
  turn = 0;
  region_frame = frame;
  take(here(), joined->start);
}

Membership::~Membership() {
  leave(here(), team->ends);
  team = outer_;
  turn = outer_turn_;
  region_frame = outer_frame_;
  reductions = outer_reductions_;
  section_base = outer_section_base_;
}

ThreadTeam* team_here() { return team; }
const uintptr_t*& shared_reductions() { return reductions; }

void arrive_at_barrier() {
  if (team) leave(here(), team->barrier[turn % 2]);
}

void leave_barrier() {
  if (!team) return;
  take(here(), team->barrier[turn++ % 2]);
  take(here(), team->tasks);
  take_detached(here());
}

namespace {

void end_section(Strand& base) {
  Strand& section = here();
  section.last = section.tick();
  leave(section, children_of(base));
  end_strand(section);
}

}  // namespace

void begin_section() {
  if (!team) return;
  Strand* const base = section_base ? section_base : &here();
  if (section_base) end_section(*base);
  Strand& section = begin_strand(base);
  section.stack_floor = region_frame;
  forget_stack_below(region_frame);
  base->advance();
  section_base = base;
  set_here(&section);
}

void end_sections() {
  if (!section_base) return;
  Strand& base = *section_base;
  end_section(base);
  section_base = nullptr;
  set_here(&base);
  take(base, children_of(base));
}

namespace {

Task make_task(const Strand& creator, Strand& parent, bool dependent) {
  if (tasks_alive.fetch_add(1) < most_tasks) return {&begin_strand(&creator), &parent, team, dependent};
  tasks_alive.fetch_sub(1);
  threads_unseen = true;
  return {nullptr, &parent, team, dependent};
}

}  // namespace

Task create_task(bool dependent) {
  Strand& parent = here();
  const Task task = make_task(parent, parent, dependent);
  parent.advance();
  return task;
}

Strand& begin_tasks_of_loop() {
  Strand& origin = begin_strand(&here());
  here().advance();
  return origin;
}

Task begin_task(const Strand& origin, Strand& parent) { return make_task(origin, parent, false); }

// A thread that has left its part of the region runs tasks until all are over.
TaskRun::TaskRun(const Task& task, uintptr_t frame) : task_(task), thread_(here_if_any()), outer_team_(team) {
  if (!task.strand) return;
  set_here(task.strand);
  team = task.team;
  task.strand->stack_floor = frame;
  forget_stack_below(frame);
  if (!task.dependent || !task.team) return;
  take(*task.strand, task.team->tasks);
  take_detached(*task.strand);
}

TaskRun::~TaskRun() {
  if (!task_.strand) return;
  forget_stack_below(task_.strand->stack_floor);
  task_.strand->last = task_.strand->tick();
  if (task_.team) leave(*task_.strand, task_.team->tasks);
  leave(*task_.strand, children_of(*task_.parent));
  end_strand(*task_.strand);
  tasks_alive.fetch_sub(1);
  set_here(thread_);
  team = outer_team_;
}

void end_detached_task() {
  any_detached.store(true, std::memory_order_relaxed);
  leave(here(), detached);
}

void wait_for_children() {
  take(here(), children_of(here()));
  take_detached(here());
}

void wait_for_tasks() {
  wait_for_children();
  if (team) take(here(), team->tasks);
}

}  // namespace atrium::race
