// The C entry points that a program calls instead of its MPI's.
// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>

extern "C" __attribute__((visibility("default"))) int MPI_Alltoall(const void* send, int send_count,
                                                                   MPI_Datatype send_type, void* receive,
                                                                   int receive_count,
                                                                   MPI_Datatype receive_type, MPI_Comm comm) {
  return PMPI_Alltoall(send, send_count, send_type, receive, receive_count, receive_type, comm);
}
