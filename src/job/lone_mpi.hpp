// A program of both MPI and OpenSHMEM under oshrun, which starts no ranks of MPI.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium {

// Says so once, on PE 0, where MPI_Init has been called and nobody has told it of the others: each PE is rank 0 of 1.
void note_lone_mpi(const char* bootstrap);

}  // namespace atrium
