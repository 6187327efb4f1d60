/* Fortran's integer handles of MPI, by the same names whichever mpi.h there is: that of the standard ABI of MPI 5, which knows no
 * Fortran, has others.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A handle of Fortran is the same number as that of MPI_Comm_toint and its like (MPI 5.0, section "Transfer of Handles"). */
#ifndef ATRIUM_MPI_HANDLES_H
#define ATRIUM_MPI_HANDLES_H

#include <mpi.h>

#ifdef MPI_ABI_VERSION
typedef int MPI_Fint;
#define MPI_Comm_f2c MPI_Comm_fromint
#define MPI_Comm_c2f MPI_Comm_toint
#define MPI_Win_c2f MPI_Win_toint
#define PMPI_Comm_f2c PMPI_Comm_fromint
#define PMPI_Comm_c2f PMPI_Comm_toint
#define PMPI_Win_c2f PMPI_Win_toint
#endif

#endif
