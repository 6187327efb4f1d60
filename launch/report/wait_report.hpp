// Where every PE of a job is: what a user who thinks that it hangs wants to know.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "launch/process/job_segment.hpp"
#include "launch/process/pes.hpp"
#include "launch/report/wait_places.hpp"

namespace atrium {

// How a PE is found by whoever has started it.
struct PeLook {
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

// Asks nothing of the PEs, which may be stopped: it reads what they have left in the lobby, and what the kernel says
// of their processes. Those of this host. `placed`: the lines of their waits, as far as they have been found.
std::vector<PeLook> look_at_pes(const JobSegment& segment, const Pes& pes, const Registered& registered,
                                const std::vector<PlacedWait>& placed);

// By a signal, or by a debugger.
bool is_stopped(char process);

// Lines for people.
// Of a job of so many PEs; a host that is stopped, say, has not told where its own are.
std::string describe_waits(const std::vector<PeLook>& looks, int pes);

}  // namespace atrium
