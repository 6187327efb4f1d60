# What the cases of this suite share.
#
# Tests: SYNC team-arrivals arrival record-buffer record-page tool-modules objects thread-place call-under-way
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2034,SC2154

# write_program BODY: `me`, `n`, `next`; `box` and `flag` are static, `heap` has 100 longs. The body is line 13.
function write_program {
  cat >"$scratch/p.c" <<END
#include <shmem.h>
#include <shmemx.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static long box[100], sum, mine; static uint64_t flag;
int main(void) {
  shmem_init();
  int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n; (void)next, (void)box, (void)flag, (void)sum, (void)mine;
  long *heap = (long *)shmem_malloc(100 * sizeof(long)); (void)heap;
  $1
  shmem_finalize();
  return 0;
}
END
}
function compile { "$BUILD_TREE/bin/oshcc" -g "$@" "$scratch/p.c" -o "$scratch/p" || complain "it does not compile"; }
function in_scratch { (cd "$scratch" && oshrun "$@"); }
function profiled { in_scratch --profile "$@"; }
function says { expect grep -qE "$1" "$scratch/err"; }
function does_not_say { expect [ "$(grep -cE "$1" "$scratch/err")" = 0 ]; }

# in_numbers NAME PYTHON: an expression that is true of NAME.csv; of(TABLE, NAME, PE) are the rows of these, number(...) is the
# one row's seconds.
function in_numbers {
  python3 - "$scratch/$1.csv" "$2" <<'END' || complain "$2"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
def of(table, name=None, pe=None):
    return [r for r in rows if r["table"] == table and name in (None, r["name"]) and (pe is None or r["pe"] == str(pe))]
def number(*what, column="seconds"): row, = of(*what); return float(row[column])
sys.exit(not eval(sys.argv[2]))
END
}
# seen BODY [PES [FLAGS]]: it is compiled and its profile taken.
function seen { write_program "$1"; compile -O2; expect_status 0 profiled -n "${2:-2}" "./p"; }
