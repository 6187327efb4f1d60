// Closes the library in a child of fork(), by a handler of pthread_atfork. (system(), popen() and posix_spawn() do not call it, and
// need not: their children only execute another program.)
// SPDX-License-Identifier: BSD-3-Clause
#include "job/forked_child.hpp"

#include <pthread.h>
#include <unistd.h>

#include <string>

#include "core/log.hpp"
#include "job/inline_path.hpp"
#include "job/long_wait.hpp"
#include "os/crash.hpp"
#include "team/draft.hpp"
#include "wait/park.hpp"

namespace atrium {
namespace {

void (*forget_job_of_parent)() = nullptr;

void disown() {
  disown_all_teams();
  let_go_of_all_teams();
  disown_inline_path();
  my_park_slot = nullptr;
  stop_publishing_long_waits();
  on_fatal(nullptr, nullptr);
  set_speaker("process " + std::to_string(getpid()) + ", a child of " + get_speaker());
  name_in_traces(get_speaker());
  forget_job_of_parent();
}

}  // namespace

void guard_job_from_children(void (*forget_job)()) {
  forget_job_of_parent = forget_job;
  pthread_atfork(hold_all_teams, let_go_of_all_teams, disown);
}

}  // namespace atrium
