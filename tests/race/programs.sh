# Sourced by scripts of cases: programs of a few lines of C between the same beginning and end, and what is said of them.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash

# write_program BODY: `me`, `n`; x, y and flag are static, `heap` has 100 longs.
function write_program {
  cat >"$scratch/p.c" <<END
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static long x, y[1000];
static uint64_t flag;
int main(void) {
  shmem_init();
  int me = shmem_my_pe(), n = shmem_n_pes();
  long *heap = shmem_calloc(100, sizeof(long)), mine = me;
  (void)n, (void)mine, (void)heap, (void)flag, (void)y;
  $1
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
END
}
# One program of several bodies, each a function variant_0, variant_1, ... and a barrier behind it.
function write_programs { # BODY...
  local each number=0 calls=
  for each; do calls+="variant_$number(me, n, heap); shmem_barrier_all(); " number=$((number + 1)); done
  write_program "$calls"
  number=0
  for each; do
    printf '%s\n' "static __attribute__((noinline)) void variant_$number(int me, int n, long *heap) {" '  long mine = me;' '  (void)n, (void)mine, (void)heap;' "  $each" '}'
    number=$((number + 1))
  done >"$scratch/variants"
  sed -i "/^int main/{
    e cat '$scratch/variants'
  }" "$scratch/p.c"
}
function compile { "$BUILD_TREE/bin/oshcc" -g "$@" "$scratch/p.c" -o "$scratch/p" || complain "it does not compile"; }
function checked { oshrun --check=races "$@"; }
function says { expect grep -qE "$1" "$scratch/err"; }

# seen BODY [PES]: by calls alone, without -fatrium-race.
function seen { write_program "$1"; compile -O2; expect_status 66 checked -n "${2:-2}" "$scratch/p"; }
function seen_when_instrumented { write_program "$1"; compile -O1 -fatrium-race; expect_status 66 checked -n "${2:-2}" "$scratch/p"; }
function clean {
  write_program "$1"
  for how in -O0 -O2; do
    compile $how -fatrium-race
    expect_status 0 checked -n "${2:-2}" "$scratch/p"
    expect [ ! -s "$scratch/err" ]
  done
}
# The same of several bodies with two PEs: there is something to be said of each, or of none.
function each_is_told { # BODIES
  local number
  for ((number = 0; number < $1; number++)); do says " in variant_$number\b"; done
}
function seen_all { write_programs "$@"; compile -O2; expect_status 66 checked -n 2 "$scratch/p"; each_is_told $#; }
function seen_all_when_instrumented { write_programs "$@"; compile -O1 -fatrium-race; expect_status 66 checked -n 2 "$scratch/p"; each_is_told $#; }
function clean_all {
  write_programs "$@"
  for how in -O0 -O2; do
    compile $how -fatrium-race
    expect_status 0 checked -n 2 "$scratch/p"
    expect [ ! -s "$scratch/err" ]
  done
}
# A program of cases, which lists them and runs the one that it is given: those called racy_ have a race, of the others nothing
# is said but that a table is full.
function each_case_is_judged {
  local name
  for name in $(oshrun -n 1 "$scratch/p"); do
    case $name in
      racy_*) expect_status 66 checked -n 1 "$scratch/p" "$name"; says 'race: PE 0 ' ;;
      *) expect_status 0 checked -n 1 "$scratch/p" "$name"; expect [ -z "$(grep -v ': some races are not seen$' "$scratch/err")" ] ;;
    esac
  done
}
