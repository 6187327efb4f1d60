# Sourced by scripts of cases: programs whose ranks share a window of MPI, under the race check, with each MPI of $FLAVOURS.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2046,SC2317

# write_program BODY: `me`, `n`; `mine`, `next` and `first` are the parts of this rank, of the next one and of rank 0, 100 ints each; `place` is the program's
# argument; `later()` is when the others have done what does not wait for this rank.
function write_program {
  cat >"$scratch/p.c" <<END
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static inline void later(void) { for (double end = MPI_Wtime() + 0.2; MPI_Wtime() < end;) {} }
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int me, n, unit, sum = 0, place = argc > 1 ? atoi(argv[1]) : 7;
  (void)place;
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
# The flavours whose header has this routine; skips where none has it.
function with_routine { # ROUTINE
  local flavour compiler found=
  for flavour in $FLAVOURS ${MPICC_abi:+abi}; do
    compiler=MPICC_$flavour
    echo '#include <mpi.h>' | "${!compiler:-mpicc.$flavour}" -E -x c - | grep -q "\b$1(" && found+=" $flavour"
  done
  [ -n "$found" ] || skip "this MPI has no $1"
  FLAVOURS=$found
}
# One program, of which place 7 is ordered and place 8 is a race, or what the further arguments say: CLEAN_PLACES RACY_PLACES.
function told { # BODY RANKS [CLEAN_PLACES [RACY_PLACES]]
  local each
  write_program "$1"
  for flavour in $FLAVOURS; do
    compile "$flavour" -O1
    for each in ${3-7}; do
      expect_status 0 start "$flavour" "$2" "$scratch/p" "$each"
      is_silent
    done
    for each in ${4-8}; do
      expect_status 66 start "$flavour" "$2" "$scratch/p" "$each"
      says '^  rank [0-9]+ store, 4 bytes +p.c:[0-9]+ in main'
      says '^  rank [0-9]+ load, 4 bytes +p.c:[0-9]+ in main'
    done
  done
}
