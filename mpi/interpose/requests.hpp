// The C entry points that start, complete and free requests (requests.cpp), as far as others need to know of them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium::mpi {

// Every call of this process that starts, completes or frees a request comes to our entry points first. Not so where a
// profiler has put its own in front of them, or where there are Fortran bindings, which call the MPI past us.
bool completes_requests();

}  // namespace atrium::mpi
