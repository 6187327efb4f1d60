// Programs of MPI, whose ranks share windows.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/model/dialect.hpp"

namespace atrium::race {

const Dialect dialect = {
    .process = "rank",
    .checks_by_itself = true,
    .volatiles_order = true,
    .to_order =
        "a barrier between the two, with MPI_Win_sync before and behind it, or MPI_Win_fence, or a message",
    .same_type = "atomic operations of one size for the same word",
};

}  // namespace atrium::race
