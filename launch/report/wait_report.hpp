// Where every PE of a job is: what a user who thinks that it hangs wants to know.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "launch/process/job_segment.hpp"
#include "launch/process/pes.hpp"

namespace atrium {

// Lines for people. Asks nothing of the PEs, which may be stopped: it reads what they have left in the lobby, and
// what the kernel says of their processes.
std::string describe_waits(const JobSegment& segment, const Pes& pes, const Registered& registered);

}  // namespace atrium
