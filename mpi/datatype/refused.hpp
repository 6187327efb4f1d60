// What an MPI is certain to refuse before it sends anything.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

namespace atrium::mpi {

// A null pointer to elements of a type that holds data and begins at the buffer, of which MPICH says so.
bool lacks_memory(const void* buffer, MPI_Aint count, MPI_Datatype type);

}  // namespace atrium::mpi
