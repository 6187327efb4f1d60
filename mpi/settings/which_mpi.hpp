// Which MPI is below us, and is it the one whose mpi.h this library was compiled with?
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

namespace atrium::mpi {

// MPICH, or what descends from it: they refuse more than others do. Known when this is compiled, but for the standard ABI.
#if defined(MPI_ABI_VERSION)
bool is_mpich();
#elif defined(OPEN_MPI)
constexpr bool is_mpich() { return false; }
#else
constexpr bool is_mpich() { return true; }
#endif

// What the MPI calls itself, with its number.
const char* version_of_mpi();

// Is it one whose handles are known to be others than ours?
bool is_another_mpi();

// Ends the program with a message if it is not: the handles of Open MPI, of MPICH and of the standard's
// binary interface differ, so that nothing could be passed on to it.
void refuse_another_mpi();

}  // namespace atrium::mpi
