// Is the MPI below us the one whose mpi.h this library was compiled with?
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium::mpi {

// Ends the program with a message if it is not: the handles of Open MPI and MPICH differ in size, so that
// nothing could be passed on to it.
void refuse_another_mpi();

}  // namespace atrium::mpi
