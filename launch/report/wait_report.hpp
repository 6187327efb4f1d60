// Where every PE of a job is, for a user who suspects that the job hangs.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "launch/process/job_segment.hpp"
#include "launch/process/pes.hpp"
#include "launch/report/wait_places.hpp"

namespace atrium {

// What oshrun finds out about a PE, without asking it.
struct PeSample {
  struct Wait {
    std::string what;
    uint64_t seconds;
    bool for_all;  // ends when all PEs have come
    int pe;        // the one that alone can end it, or -1
  };
  int pe;
  pid_t pid;
  bool running;   // its process
  PeState state;  // its slot
  char process;   // as in /proc/PID/stat
  std::optional<Wait> wait;
  std::string host;  // empty on one host
};

// Of the PEs of this host. Asks nothing of them, since they may be stopped: reads what they have published in the lobby, and what
// the kernel says of their processes. `placed`: the lines of their waits, as far as they have been found.
std::vector<PeSample> sample_pes(const JobSegment& segment, const Pes& pes, const Registered& registered,
                                 const std::vector<PlacedWait>& placed);

// By a signal, or by a debugger.
bool is_stopped(char process);

// Lines for people.
// Of a job of so many PEs. Those of a host that has not answered, because it is stopped for instance, are missing in `samples`.
std::string describe_waits(const std::vector<PeSample>& samples, int pes);

}  // namespace atrium
