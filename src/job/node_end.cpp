// Ends the other PEs of this node by signals, if their life marks show that they run.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/node_end.hpp"

#include <unistd.h>

#include <csignal>

#include "network/background_thread.hpp"
#include "os/life_mark.hpp"

namespace atrium {
namespace {

// For the launcher, and then for PEs that have something to do when they are told to end.
constexpr useconds_t patience_us = 500'000;

// By marks, not by the numbers that PEs have written: those may be another process's by now. My own mark hides from me.
void signal_others(const Bootstrap& bootstrap, int signal) {
  for (int place = 0; place < bootstrap.placement().places(); ++place) {
    const pid_t pe = find_life_mark(bootstrap.job_memory(), place);
    if (pe > 0) ::kill(pe, signal);
  }
}

}  // namespace

void end_node(Bootstrap& bootstrap) {
  static BackgroundThread thread;  // the launcher may not answer
  thread.start(
      "atrium-abort", [](void* of) { static_cast<Bootstrap*>(of)->abort_job(1); }, &bootstrap);
  ::usleep(patience_us);
  signal_others(bootstrap, SIGTERM);
  ::usleep(patience_us);
  signal_others(bootstrap, SIGKILL);
}

}  // namespace atrium
