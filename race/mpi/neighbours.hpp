// The neighbours of this rank in the topology of its communicator.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <vector>

namespace atrium::race {

// By their ranks, each once: those from which a collective of neighbours brings something, and those to which. None without a topology.
void find_neighbours(MPI_Comm comm, std::vector<int>& before, std::vector<int>& behind);

}  // namespace atrium::race
