// The routines of MPI 4.1 that look at several requests, for the headers of older MPIs as well: a library that was built with one
// of those serves newer ones, too.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "interpose/entry.hpp"

#if MPI_VERSION < 4 || (MPI_VERSION == 4 && MPI_SUBVERSION < 1)
extern "C" {
int PMPI_Request_get_status_all(int, const MPI_Request*, int*, MPI_Status*) __attribute__((weak));
int PMPI_Request_get_status_any(int, const MPI_Request*, int*, int*, MPI_Status*) __attribute__((weak));
int PMPI_Request_get_status_some(int, const MPI_Request*, int*, int*, MPI_Status*) __attribute__((weak));
}
#endif

namespace atrium::mpi {

// Requests that a call only looks at: as the standard has them, or without const, as MPICH 4.2 declares them.
template <class Request>
Request* seen_by(int (*get_status_all)(int, Request*, int*, MPI_Status*));
using SeenRequests = decltype(seen_by(&PMPI_Request_get_status_all));

}  // namespace atrium::mpi

ATRIUM_ENTRY int MPI_Request_get_status_all(int, atrium::mpi::SeenRequests, int*, MPI_Status*);
ATRIUM_ENTRY int MPI_Request_get_status_any(int, atrium::mpi::SeenRequests, int*, int*, MPI_Status*);
ATRIUM_ENTRY int MPI_Request_get_status_some(int, atrium::mpi::SeenRequests, int*, int*, MPI_Status*);
