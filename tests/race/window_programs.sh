# Sourced by scripts of cases: programs whose ranks share a window of MPI, under the race check, with each MPI of $FLAVOURS.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2046,SC2317

# write_program BODY: `me`, `n`; `mine` and `next` are the parts of this rank and of the next one, 100 ints each; `flag` is in rank 0's part.
function write_program {
  cat >"$scratch/p.c" <<END
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int me, n, unit, sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me), MPI_Comm_size(MPI_COMM_WORLD, &n);
  MPI_Aint bytes;
  int *mine, *next, *first;
  MPI_Win win;
  MPI_Win_allocate_shared(400, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
  MPI_Win_shared_query(win, (me + 1) % n, &bytes, &unit, &next);
  MPI_Win_shared_query(win, 0, &bytes, &unit, &first);
  mine[99] = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  $1
  if (sum == -1) printf("%d", sum);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
END
}
function compile { # FLAVOUR [FLAG...]
  local compiler=MPICC_$1
  "${!compiler:-mpicc.$1}" -g "${@:2}" "$scratch/p.c" -o "$scratch/p" $("$BUILD_TREE/bin/oshcc" --showme:race=mpi-"$1") || complain "it does not compile"
}
function start { ATRIUM_QUIET=1 timeout -k 5 "$patience" bash "$SOURCE_TREE/tests/mpi/start.sh" "$@"; }
function says { expect grep -qE "$1" "$scratch/err"; }
function is_silent { expect [ -z "$(grep '^atrium:' "$scratch/err")" ]; }

function seen { # BODY [RANKS]
  write_program "$1"
  for flavour in $FLAVOURS; do
    compile "$flavour" -O1
    expect_status 66 start "$flavour" "${2:-2}" "$scratch/p"
    [ -z "${3:-}" ] || says "$3"
  done
}
function clean {
  write_program "$1"
  for flavour in $FLAVOURS; do
    compile "$flavour" -O1
    expect_status 0 start "$flavour" "${2:-2}" "$scratch/p"
    is_silent
  done
}
