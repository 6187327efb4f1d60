// The end of the process: findings are printed even without shmem_finalize, and give the job its exit status.
// SPDX-License-Identifier: BSD-3-Clause
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "race/model/job.hpp"
#include "race/report/print.hpp"
#include "race/shadow/region.hpp"

namespace atrium::race {
namespace {

pid_t checked_process = 0;

// The child of a fork has none of this PE's memory: it is not checked.
void stop_in_child() {
  working = following = threads_exist = job.failed = false;
  watch_private(false);
}

void at_exit(int status, void*) {
  if (getpid() != checked_process) return;
  if (working) {
    working = false;
    watch_private(false);
    print_findings();
    job.failed = anything_found();
  }
  if (following) print_that_nothing_was_found();
  if (status != 0 || !job.failed) return;
  fflush(nullptr);
  _exit(status_races);
}

__attribute__((constructor)) void watch_the_end() {
  checked_process = getpid();
  on_exit(at_exit, nullptr);
  pthread_atfork(nullptr, nullptr, stop_in_child);
}

}  // namespace
}  // namespace atrium::race
