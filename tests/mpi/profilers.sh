#!/bin/bash
# Profilers that define routines of MPI beside the library.
# SPDX-License-Identifier: BSD-3-Clause

function compile { local compiler=MPICC_$1; ${!compiler} "${@:2}" || complain "it does not compile"; }

# It must see where the program begins, and which communicators end, as without the library.
a_profiler_behind_the_library_sees_the_beginning_and_the_ends() {
  has_sanitizers && skip "a sanitizer wants to be loaded first"
  local flavour
  cat >"$scratch/profiler.c" <<'END'
#include <mpi.h>
#include <stdio.h>
int MPI_Init(int *count, char ***words) { puts("profiler: MPI_Init"); return PMPI_Init(count, words); }
int MPI_Comm_free(MPI_Comm *comm) { puts("profiler: MPI_Comm_free"); return PMPI_Comm_free(comm); }
END
  cat >"$scratch/p.c" <<'END'
#include <mpi.h>
int main(int count, char **words) {
  MPI_Comm comm;
  int one = 1, sum = 0;
  MPI_Init(&count, &words);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return sum != 2;
}
END
  for flavour in $FLAVOURS; do
    compile "$flavour" -shared -fPIC "$scratch/profiler.c" -o "$scratch/profiler.so"
    compile "$flavour" "$scratch/p.c" -o "$scratch/p"
    timeout 60 bash "$SOURCE_TREE/tests/mpi/start.sh" "$flavour" 2 env ATRIUM_ALLREDUCE=always \
      LD_PRELOAD="$BUILD_TREE/lib/libatrium-mpi-$flavour.so:$scratch/profiler.so" "$scratch/p" >"$scratch/out" 2>"$scratch/err"
    expect [ $? = 0 ]
    expect [ "$(grep -cx 'profiler: MPI_Init' "$scratch/out")" = 2 ]; expect [ "$(grep -cx 'profiler: MPI_Comm_free' "$scratch/out")" = 2 ]
  done
}
