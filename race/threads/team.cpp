// Teams, sections and tasks as edges between strands.
// SPDX-License-Identifier: BSD-3-Clause
//
// Barriers pass on all that any member knew when it arrived. Ended tasks leave what they know with the team and with the
// strand that created them; whoever waits takes it, with what ended in between: that orders too much, never too little.
#include "race/threads/team.hpp"

#include <atomic>
#include <mutex>

#include "race/model/access.hpp"
#include "race/threads/threads.hpp"

namespace atrium::race {
namespace {

#define TLS __attribute__((tls_model("initial-exec"))) thread_local
TLS Team* team = nullptr;
TLS unsigned turn = 0;
TLS uintptr_t region_frame = 0;      // below it lie the frames of the parallel region
TLS Strand* section_base = nullptr;  // the thread's own strand while a section runs
#undef TLS

SpinLock teams_lock;
Team* free_teams = nullptr;
std::atomic<int> tasks_alive{0};
constexpr int most_tasks = 2000;

Knowledge& children_of(const Strand& strand) { return knowledge_at(&strand.lane); }

}  // namespace

Team* open_team(Strand& parent) {
  note_threads();
  Team* opened;
  {
    std::lock_guard guard(teams_lock);
    opened = free_teams;
    if (opened) free_teams = opened->next_free;
  }
  if (!opened) opened = new Team;
  for (Knowledge* one : {&opened->start, &opened->ends, &opened->tasks, &opened->ordered, &opened->barrier[0],
                         &opened->barrier[1]})
    forget(*one);
  replace(parent, opened->start);
  return opened;
}

void close_team(Team* closed, Strand& parent) {
  take(parent, closed->ends);
  take(parent, closed->tasks);
  std::lock_guard guard(teams_lock);
  closed->next_free = free_teams;
  free_teams = closed;
}

Membership::Membership(Team* joined, uintptr_t frame)
    : outer_(team), outer_turn_(turn), outer_frame_(region_frame) {
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
}

Team* team_here() { return team; }

void arrive_at_barrier() {
  if (team) leave(here(), team->barrier[turn % 2]);
}

void leave_barrier() {
  if (!team) return;
  take(here(), team->barrier[turn++ % 2]);
  take(here(), team->tasks);
}

void begin_section() {
  if (!team) return;
  Strand* const base = section_base ? section_base : &here();
  if (section_base) {
    leave(here(), children_of(*base));
    end_strand(here());
  }
  Strand& section = begin_strand(base);
  section.stack_floor = region_frame;
  base->advance();
  section_base = base;
  set_here(&section);
}

void end_sections() {
  if (!section_base) return;
  Strand& base = *section_base;
  leave(here(), children_of(base));
  end_strand(here());
  section_base = nullptr;
  set_here(&base);
  take(base, children_of(base));
}

Task create_task(bool dependent) {
  Strand& parent = here();
  if (tasks_alive.fetch_add(1) >= most_tasks) {
    tasks_alive.fetch_sub(1);
    threads_unseen = true;
    return {nullptr, &parent, team, dependent};
  }
  Strand& strand = begin_strand(&parent);
  parent.advance();
  return {&strand, &parent, team, dependent};
}

TaskRun::TaskRun(const Task& task, uintptr_t frame) : task_(task), thread_(here_if_any()) {
  if (!task.strand) return;
  set_here(task.strand);
  task.strand->stack_floor = frame;
  if (task.dependent && task.team) take(*task.strand, task.team->tasks);
}

TaskRun::~TaskRun() {
  if (!task_.strand) return;
  if (task_.team) leave(*task_.strand, task_.team->tasks);
  leave(*task_.strand, children_of(*task_.parent));
  end_strand(*task_.strand);
  tasks_alive.fetch_sub(1);
  set_here(thread_);
}

void wait_for_children() { take(here(), children_of(here())); }

void wait_for_tasks() {
  wait_for_children();
  if (team) take(here(), team->tasks);
}

}  // namespace atrium::race
