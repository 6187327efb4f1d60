// What differs between MPIs: the names of the routines that make persistent collectives, which Open MPI 4 has as an extension, and whether
// there are routines that look at several requests.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>
#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION < 5
#include <mpi-ext.h>
#define ATRIUM_INIT(name) MPIX_##name
#else
#define ATRIUM_INIT(name) MPI_##name
#endif
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
#define LOOKS_AT_SEVERAL
#endif
