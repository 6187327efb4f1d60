// What a job says at its end of blocks, teams and contexts that are still there, if it is asked to (oshrun --check).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium {

// Collective over the world. PE 0 reports its leaks, and so do PEs whose leaks differ from its.
void report_leaks();

}  // namespace atrium
