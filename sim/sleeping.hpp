// Sleeping and waking on the virtual clock, behind the seam of os/futex.hpp.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium::sim {

void sleep_by_the_clock();

}  // namespace atrium::sim
