// What src/job builds in a real job: memory, teams and ways to other nodes, for each PE of a simulated one.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sim/world.hpp"

namespace atrium::sim {

size_t system_bytes_of(const JobShape& shape);
// All PEs have done init. Requires: the world's memory is mapped.
void build_job(World& world);

}  // namespace atrium::sim
