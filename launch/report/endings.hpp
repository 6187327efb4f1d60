// The messages of oshrun about a job that fails.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "core/result.hpp"
#include "launch/cli/options.hpp"
#include "launch/report/exit_rules.hpp"
#include "launch/report/wait_report.hpp"

namespace atrium {

struct EndedPe {
  int pe;
  pid_t pid;
  Ending ending;
  PeState state;
  FaultWatch faults;
  std::string host;  // by its name in the job, or this one's own
};

Error describe_end(const EndedPe& ended, const Options& options);
// The PE's program, whose status oshrun does not learn, has left; the script around it has not.
Error describe_program_end(const EndedPe& ended, const Options& options);
Error describe_absence(const EndedPe& ended, const Options& options);
Error describe_timeout(const Options& options, const std::vector<PeSample>& samples);

// "ended with status 3", "was ended by signal 11 (Segmentation fault)"
std::string describe(Ending ending);

}  // namespace atrium
