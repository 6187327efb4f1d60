// Hints of communicators that change what messages order.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "race/mpi/call.hpp"

namespace atrium::race {

// MPI-4.1 7.4.4: with mpi_assert_allow_overtaking messages of one sender and tag may be received in another order than they were sent in.
// A copy of such a communicator is taken to be one, too, since MPI-3 copied hints.
// Requires: the call was successful.
void follow_hints(const MpiCall& call);

}  // namespace atrium::race
