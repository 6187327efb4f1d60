// A profiler's own MPI_Request_get_status_any asks the MPI, past the library: persistent requests must be the MPI's then.
// SPDX-License-Identifier: BSD-3-Clause
#include "persistent.h"

#ifdef LOOKS_AT_SEVERAL
#include "expect.h"

static int asked;

int MPI_Request_get_status_any(int count, const MPI_Request all[], int* index, int* flag,
                               MPI_Status* status) {
  asked++;
  return PMPI_Request_get_status_any(count, all, index, flag, status);
}

int main(int argc, char** argv) {
  int world, ranks, index, flag = 0, out[256], in[256];
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world), MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int peer = 0; peer < ranks; peer++) out[peer] = 10 * world + peer, in[peer] = -1;
  MPI_Alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Start(&request);
  while (!flag) MPI_Request_get_status_any(1, &request, &index, &flag, MPI_STATUS_IGNORE);
  for (int peer = 0; peer < ranks; peer++) expect(in[peer] == 10 * peer + world, "what was seen complete is");
  expect(asked > 0, "the profiler was asked");
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  MPI_Finalize();
  return failures != 0;
}
#else
#include <stdio.h>

int main(void) {
  puts("this MPI has no MPI_Request_get_status_any, which came with MPI 4.1");
  return 77;
}
#endif
