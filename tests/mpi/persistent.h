// The names of the routines that make persistent collectives: Open MPI 4 has them as an extension.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>
#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION < 5
#include <mpi-ext.h>
#define ATRIUM_INIT(name) MPIX_##name
#else
#define ATRIUM_INIT(name) MPI_##name
#endif
