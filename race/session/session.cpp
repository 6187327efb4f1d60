// Begins and ends a session of the checker: from shmem_init to shmem_finalize.
// SPDX-License-Identifier: BSD-3-Clause
//
// The shadow, the clocks and the words go on: both ends of a session are barriers of all, and blocks, teams
// and contexts, which must not be used any more, are given back at its end as if the program had done so.
#include "race/session/session.hpp"

#include <pthread.h>

#include <atomic>
#include <string>

#include "interpose/library.hpp"
#include "interpose/say.hpp"
#include "interpose/tool.hpp"
#include "race/model/blocks.hpp"
#include "race/model/finding.hpp"
#include "race/openshmem/collectives.hpp"
#include "race/openshmem/order.hpp"
#include "race/openshmem/setup.hpp"
#include "race/report/print.hpp"
#include "race/report/text.hpp"

namespace atrium::race {
namespace {

std::atomic<int> depth = 0;  // inits that no finalize has matched

// A check that was asked for and cannot be made is no check passed. What has been said is out before anybody ends.
[[noreturn]] void refuse() {
  pshmem_barrier_all();
  pshmem_global_exit(1);
}

void say_how_to_check() {
  static bool said = false;
  if (!job.instrumented || said || pshmem_my_pe() != 0) return;
  said = true;
  interpose::say(std::string("the program is instrumented and runs slower, but nothing is checked: ") +
                 interpose::way_to_check + " shows races");
}

void begin_first(const Site& site) {
  pthread_atfork(nullptr, nullptr, interpose::abandon_session);
  interpose::learn_handles();
  if (!set_up(site)) refuse();
  set_sink(print_short);
  following = true;
}

void work(bool on) {
  working = on;
  update_watch();
}

// Operations of all threads, on whatever context, are complete, and so is what anybody did in blocks of the heap.
void end_session(const Site& site) {
  complete_everything(here());
  const BarrierUse use(site, *interpose::world_group, true);
  pshmem_barrier_all();
  for (const interpose::TrackedBlock& block : interpose::end_session(origin_of(site, 0).word()))
    end_states(block.begin, block.bytes);
}

}  // namespace

void note_init(const Site& site) {
  // Requires of start_pes: none but the first call does anything.
  if (depth != 0 && site.routine == Routine::start_pes) return;
  if (depth++ != 0) return;
  if (!wanted()) return say_how_to_check();
  if (!following)
    begin_first(site);
  else if (!find_again())
    refuse();
  expect_reports();
  interpose::begin_session();
  work(true);
  const BarrierUse use(site, *interpose::world_group, false);
  pshmem_sync_all();
}

bool ends_session() { return depth != 0 && --depth == 0; }

void note_finalize(const Site& site) {
  if (!working) return;
  end_session(site);
  work(false);
  if (job.me == 0) print_findings();
  pshmem_barrier_all();
  job.failed = anything_found();
}

void note_exit() {
  if (working) print_findings();
}

}  // namespace atrium::race
