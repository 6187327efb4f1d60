// The orphan killer: a small process that outlives oshrun by a moment when oshrun is killed, and ends what is left.
// SPDX-License-Identifier: BSD-3-Clause
//
// A PE dies with oshrun by its parent-death signal. What a PE started itself (a wrapper script's program, say) does
// not. The orphan killer finds it in three ways: by the PEs' process groups, by the marks that programs set when they
// join the job (os/life_mark.hpp), and by the variable ATRIUM_JOB_ID, which whatever a PE starts inherits, in
// sessions of its own too.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <string>

#include "launch/process/job_segment.hpp"

namespace atrium {

bool is_orphan_killer(pid_t process);

class OrphanKiller {
 public:
  // Room for the process groups of `pes` PEs, all empty. `segment` is where programs set their marks, `job_id` the
  // value of ATRIUM_JOB_ID.
  OrphanKiller(size_t pes, const JobSegment& segment, const std::string& job_id);

  // Where the process group of PE `index` is written: by the PE itself before it executes anything, and 0
  // when it has gone.
  std::atomic<pid_t>& group(size_t index) { return groups_[index]; }
  void start();
  // It was killed: another one takes its place.
  void replace();
  void dismiss();
  pid_t pid() const { return pid_; }  // -1: none
  // What stands in the environment of all processes of the job.
  const std::string& mark() const { return mark_; }

 private:
  [[noreturn]] void keep(pid_t launcher) const;
  bool kill_what_is_left() const;

  size_t count_;
  const JobSegment& segment_;
  std::string mark_;            // "ATRIUM_JOB_ID=..."
  std::atomic<pid_t>* groups_;  // shared with the orphan killer; 0: nothing there any more
  pid_t pid_ = -1;
  int replacements_ = 0;
};

}  // namespace atrium
