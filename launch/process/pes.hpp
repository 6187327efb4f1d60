// The processes of the job: started together, signalled together, reaped one by one.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <optional>
#include <vector>

#include "launch/io/pe_streams.hpp"
#include "launch/process/commands.hpp"
#include "launch/process/environment.hpp"
#include "launch/process/job_segment.hpp"
#include "launch/process/orphan_killer.hpp"
#include "launch/process/place.hpp"
#include "launch/process/registered.hpp"
#include "launch/process/spawn.hpp"

namespace atrium {

struct Pe {
  pid_t pid = -1;
  bool running = false;
  bool own_group = true;
};

class Pes {
 public:
  Pes(int count, OrphanKiller& orphan_killer)
      : pes_(static_cast<size_t>(count)), orphan_killer_(orphan_killer) {}

  // All that the start of one PE needs.
  struct Start {
    const Commands& commands;
    Environment& environment;
    const std::vector<Cpus>& places;
    PeInput& input;
    PeOutput& output;
    const JobSegment& segment;
    int bell;
    int record_fd;  // of a profile; -1: none
    bool fixed_addresses = false;
  };

  std::optional<Refusal> start(int number, const Start& start);
  void signal_all(int signal) const;
  // Only the process of each PE that called shmem_init (that was started, before then), and only if it is known to take
  // the signal: it would end the others.
  void signal_prepared(int signal, const Registered& registered) const;
  // The number of the PE with this pid, which runs or was not marked yet; -1 for any other process.
  int number_of(pid_t pid) const;
  // The same of one that has ended.
  int mark_reaped(pid_t pid);

  // The processes that PEs have left in their groups. All PEs have ended. False: there are none.
  bool signal_groups(int signal);

  // To be called now and then: a number that another process gets is none of a PE's that has ended.
  void forget_empty_groups();

  int running() const { return running_; }
  bool is_running(int number) const { return pes_[static_cast<size_t>(number)].running; }
  int count() const { return static_cast<int>(pes_.size()); }
  pid_t pid(int number) const { return pes_[static_cast<size_t>(number)].pid; }

 private:
  std::vector<Pe> pes_;
  OrphanKiller& orphan_killer_;
  int running_ = 0;
};

}  // namespace atrium
