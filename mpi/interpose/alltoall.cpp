// The C entry points that a program calls instead of its MPI's, with int counts and with MPI 4's large ones.
// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/arguments.hpp"
#include "interpose/entry.hpp"

using atrium::mpi::alltoall;

ATRIUM_ENTRY int MPI_Alltoall(ATRIUM_EQUAL(int)) { return alltoall(ATRIUM_EQUAL_EXCHANGE); }
ATRIUM_ENTRY int MPI_Alltoallv(ATRIUM_VARYING(int, int)) { return alltoall(ATRIUM_VARYING_EXCHANGE); }
ATRIUM_ENTRY int MPI_Alltoallw(ATRIUM_MIXED(int, int)) { return alltoall(ATRIUM_MIXED_EXCHANGE); }

#if MPI_VERSION >= 4
ATRIUM_ENTRY int MPI_Alltoall_c(ATRIUM_EQUAL(MPI_Count)) { return alltoall(ATRIUM_EQUAL_EXCHANGE); }
ATRIUM_ENTRY int MPI_Alltoallv_c(ATRIUM_VARYING(MPI_Count, MPI_Aint)) {
  return alltoall(ATRIUM_VARYING_EXCHANGE);
}
ATRIUM_ENTRY int MPI_Alltoallw_c(ATRIUM_MIXED(MPI_Count, MPI_Aint)) {
  return alltoall(ATRIUM_MIXED_EXCHANGE);
}
#endif
