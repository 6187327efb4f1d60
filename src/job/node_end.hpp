// The end of this node's part of a job whose launcher may be out of reach.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bootstrap/bootstrap.hpp"

namespace atrium {

// Asks the launcher to end the job, and ends the other PEs of this node where it does not: first by SIGTERM, then by SIGKILL.
// The caller ends itself. Takes about a second.
void end_node(Bootstrap& bootstrap);

}  // namespace atrium
