// What programs do that shared memory cannot serve: their calls stay the MPI's.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace atrium::mpi {

// A bit each, so that ranks can put theirs together by a bitwise or. The MPI tells the other ranks when one dies, for whom our waits
// would wait; buffers may be where the CPU cannot copy them.
inline constexpr std::uint64_t outlives_ranks = 1, uses_gpu = 2;

std::uint64_t obstacles_here();
const char* describe_obstacles(std::uint64_t obstacles);

}  // namespace atrium::mpi
