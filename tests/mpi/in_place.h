// Whether the MPI's own MPI_Alltoallv and MPI_Alltoallw work in place: in Open MPI 4.1.2, which Ubuntu 22.04 has, they never end.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION == 4 && OMPI_MINOR_VERSION == 1 && \
    OMPI_RELEASE_VERSION == 2
enum { works_in_place = 0 };
#else
enum { works_in_place = 1 };
#endif
