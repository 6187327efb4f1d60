// How an exchange through shared memory ended.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "choice/call_header.hpp"

namespace atrium::mpi {

struct CallOutcome {
  CallHeader strongest{};   // the same on all ranks of the communicator; never `truncated`, which is an error
  int error = MPI_SUCCESS;  // where the verdict is `go`: of this rank
};

}  // namespace atrium::mpi
