/* Every rank prints its host, the ranks there are, and which of our libraries MPI_Alltoall comes from.
 * SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  int ranks, length;
  char host[MPI_MAX_PROCESSOR_NAME];
  Dl_info info = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Get_processor_name(host, &length);
  dladdr(dlsym(RTLD_DEFAULT, "MPI_Alltoall"), &info);
  const char* slash = info.dli_fname ? strrchr(info.dli_fname, '/') : NULL;
  const char* setting = getenv("ATRIUM_ALLTOALL");
  printf("%s: %d ranks, MPI_Alltoall of %s, ATRIUM_ALLTOALL=%s\n", host, ranks, slash ? slash + 1 : "nobody",
         setting ? setting : "");
  MPI_Finalize();
  return argc > 1 ? atoi(argv[1]) : 0;
}
