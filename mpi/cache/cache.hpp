// The state of each communicator, by its handle.
// SPDX-License-Identifier: BSD-3-Clause
//
// Thread safety: any thread may ask for any communicator.
#pragma once

#include <mpi.h>

#include <memory>

#include "comm/comm_state.hpp"

namespace atrium::mpi {

// The communicator's state; null if it has none yet.
CommState* find_state(MPI_Comm comm);
// Collective over the communicator. Null once MPI_Finalize has begun.
CommState* make_state(MPI_Comm comm);
// The state that find_state() answers, for one that needs it after the communicator has been freed.
std::shared_ptr<CommState> share_state(MPI_Comm comm);

}  // namespace atrium::mpi
