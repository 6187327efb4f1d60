// How an exchange through shared memory ended.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>

#include "plan/seats.hpp"

namespace atrium::mpi {

// The verdict is the same on all ranks of the communicator; if it is not `go`, nobody has lost what it sends.
struct Outcome {
  Verdict verdict = Verdict::go;
  std::uint64_t need = 0;    // where the verdict is narrow: the share that all ranks need
  std::uint64_t widest = 0;  // of blocks of different sizes between nodes: as on a card
  int error = MPI_SUCCESS;   // where it is go: of this rank
};

}  // namespace atrium::mpi
