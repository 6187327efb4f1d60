// Notes that a program of both MPI and OpenSHMEM was started by oshrun, which starts no ranks of MPI.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium {

// Prints the note once, on PE 0, if MPI_Init has been called and found no other ranks: then each PE is rank 0 of 1.
void note_lone_mpi(const char* bootstrap);

}  // namespace atrium
