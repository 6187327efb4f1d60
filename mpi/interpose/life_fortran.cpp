// The Fortran entry points that begin the program's use of the MPI and end a communicator.
// SPDX-License-Identifier: BSD-3-Clause
//
// As in fortran.cpp: all of Open MPI's, and of MPICH's those of mpi_f08, which have no buffer.
#include "interpose/fortran.hpp"

using namespace atrium::mpi;

namespace {

void end(int (*free)(MPI_Comm*), MPI_Fint* comm, MPI_Fint* error) {
  MPI_Comm communicator = PMPI_Comm_f2c(*comm);
  const int status = free(&communicator);
  if (status == MPI_SUCCESS) *comm = PMPI_Comm_c2f(communicator);
  answer(status, error);
}

}  // namespace

#ifdef OPEN_MPI
#define ATRIUM_FORTRAN(name) name##_
#else
#define ATRIUM_FORTRAN(name) name##_f08_
#endif

ATRIUM_ENTRY void ATRIUM_FORTRAN(mpi_init)(MPI_Fint* error) { answer(MPI_Init(nullptr, nullptr), error); }

ATRIUM_ENTRY void ATRIUM_FORTRAN(mpi_init_thread)(const MPI_Fint* required, MPI_Fint* provided,
                                                  MPI_Fint* error) {
  answer(MPI_Init_thread(nullptr, nullptr, *required, provided), error);
}

ATRIUM_ENTRY void ATRIUM_FORTRAN(mpi_comm_free)(MPI_Fint* comm, MPI_Fint* error) {
  end(MPI_Comm_free, comm, error);
}

ATRIUM_ENTRY void ATRIUM_FORTRAN(mpi_comm_disconnect)(MPI_Fint* comm, MPI_Fint* error) {
  end(MPI_Comm_disconnect, comm, error);
}

#ifdef OPEN_MPI
ATRIUM_ALIASES(mpi_init, MPI_INIT);
ATRIUM_ALIASES(mpi_init_thread, MPI_INIT_THREAD);
ATRIUM_ALIASES(mpi_comm_free, MPI_COMM_FREE);
ATRIUM_ALIASES(mpi_comm_disconnect, MPI_COMM_DISCONNECT);
#endif
