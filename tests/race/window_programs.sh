# Sourced by scripts of cases: programs whose ranks share a window of MPI, under the race check, with each MPI of $FLAVOURS.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2046,SC2317

mpi_init='MPI_Init(&argc, &argv)'
# write_program BODY: `me`, `n`; `mine`, `next` and `first` are the parts of this rank, of the next one and of rank 0, 100 ints each; `place` is the program's
# argument; `later()` is when the others have done what does not wait for this rank.
function write_program {
  cat >"$scratch/p.c" <<END
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static inline void later(void) { extern int usleep(unsigned); usleep(100000); }
int main(int argc, char **argv) {
  $mpi_init;
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
# One program of several bodies, which run one after the other, each as a function variant_0, variant_1, ...
function write_programs { # BODY...
  local each number=0 calls=
  for each; do calls+="
  sum += variant_$number(me, n, place, mine, next, first, win), MPI_Barrier(MPI_COMM_WORLD);" number=$((number + 1)); done
  write_program "$calls"
  number=0
  for each; do
    printf '%s\n' "static __attribute__((noinline)) int variant_$number(int me, int n, int place, int *mine, int *next, int *first, MPI_Win win) {" \
      '  int sum = 0, unit = 0; MPI_Aint bytes = 0;' '  (void)me, (void)n, (void)place, (void)mine, (void)next, (void)first, (void)win, (void)unit, (void)bytes;' \
      "  $each" '  return sum;' '}'
    number=$((number + 1))
  done >"$scratch/variants"
  sed -i "/^int main/{
    e cat '$scratch/variants'
  }" "$scratch/p.c"
}
function compile { # FLAVOUR [FLAG...]
  local compiler=MPICC_$1
  "${!compiler:-mpicc.$1}" -g "${@:2}" "$scratch/p.c" -o "$scratch/p" $("$BUILD_TREE/bin/oshcc" --showme:race=mpi-"$1") || complain "it does not compile"
}
function start { ATRIUM_QUIET=${ATRIUM_QUIET:-1} timeout -k 5 "$patience" bash "$SOURCE_TREE/tests/mpi/start.sh" "$@"; }
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
function clean { clean_all "${2:-2}" "$1"; }
# Of several bodies: there is something to be said of each, by the calls and accesses of that one; or of none.
function both_sides_are_told { # FUNCTION
  says "^  rank [0-9]+ store, 4 bytes +p.c:[0-9]+ in $1\$"
  says "^  rank [0-9]+ load, 4 bytes +p.c:[0-9]+ in $1\$"
}
function each_is_told { # BODIES
  local number
  for ((number = 0; number < $1; number++)); do both_sides_are_told "variant_$number"; done
}
function seen_all { # RANKS BODY...
  write_programs "${@:2}"
  for flavour in $FLAVOURS; do
    compile "$flavour" -O1
    expect_status 66 start "$flavour" "$1" "$scratch/p"
    each_is_told $(($# - 1))
  done
}
function clean_all { # RANKS BODY...
  write_programs "${@:2}"
  for flavour in $FLAVOURS; do
    compile "$flavour" -O1
    expect_status 0 start "$flavour" "$1" "$scratch/p"
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
  told_all "$2" "${3-7}" "${4-8}" "$1"
}
# The same of each of several bodies.
function told_all { # RANKS CLEAN_PLACES RACY_PLACES BODY...
  local place
  write_programs "${@:4}"
  for flavour in $FLAVOURS; do
    compile "$flavour" -O1
    for place in $2; do
      expect_status 0 start "$flavour" "$1" "$scratch/p" "$place"
      is_silent
    done
    for place in $3; do
      expect_status 66 start "$flavour" "$1" "$scratch/p" "$place"
      each_is_told $(($# - 3))
    done
  done
}
