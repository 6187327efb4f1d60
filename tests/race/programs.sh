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
