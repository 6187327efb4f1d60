// What starts, completes and frees requests, the MPI's and ours in one array: the routines of the same names without MPI_.
// SPDX-License-Identifier: BSD-3-Clause
//
// A request that is started our way is inactive to the MPI, which does not get to see it: it sees MPI_REQUEST_NULL at its place,
// and answers for it as the standard says for a complete persistent collective.
#pragma once

#include <mpi.h>

namespace atrium::mpi {

int start(MPI_Request* request);
int start_all(int count, MPI_Request* requests);
int wait(MPI_Request* request, MPI_Status* status);
int wait_all(int count, MPI_Request* requests, MPI_Status* statuses);
int wait_any(int count, MPI_Request* requests, int* index, MPI_Status* status);
int wait_some(int count, MPI_Request* requests, int* out_count, int* indices, MPI_Status* statuses);
int test(MPI_Request* request, int* flag, MPI_Status* status);
int test_all(int count, MPI_Request* requests, int* flag, MPI_Status* statuses);
int test_any(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status);
int test_some(int count, MPI_Request* requests, int* out_count, int* indices, MPI_Status* statuses);
int request_free(MPI_Request* request);

int request_get_status(MPI_Request request, int* flag, MPI_Status* status);
// Of MPI 4.1.
int request_get_status_all(int count, const MPI_Request* requests, int* flag, MPI_Status* statuses);
int request_get_status_any(int count, const MPI_Request* requests, int* index, int* flag, MPI_Status* status);
int request_get_status_some(int count, const MPI_Request* requests, int* out_count, int* indices,
                            MPI_Status* statuses);

}  // namespace atrium::mpi
