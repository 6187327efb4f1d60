# The checker on another OpenSHMEM, for which it is made where Open MPI's is installed: programs compiled by that one's
# wrapper and started by its launcher.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name
checker=$BUILD_TREE/lib/libatrium-race-oshmem.so

# Before expect_status, which would keep the reason to itself.
function need_the_library {
  [ -n "$OTHER_OSHCC" ] && [ -e "$checker" ] || skip "Open MPI's OpenSHMEM is not installed"
  [ ! -e "$scratch/empty" ] || return 0
  echo '#include <shmem.h>
int main(void) { shmem_init(); shmem_finalize(); }' >"$scratch/empty.c"
  "$OTHER_OSHCC" "$scratch/empty.c" -o "$scratch/empty" || complain "it does not compile"
  started 3 empty >/dev/null 2>&1 || skip "Open MPI's OpenSHMEM does not start here"
}

# program NAME BODY [FLAG...]: `me`, `n`; x, y and lock are static, `heap` has 100 longs.
function program {
  need_the_library
  local name=$1 body=$2; shift 2
  cat >"$scratch/$name.c" <<END
#include <shmem.h>
#include <stdio.h>
static long x, y[1000], lock, sync_words[SHMEM_BARRIER_SYNC_SIZE], reduce_words[SHMEM_REDUCE_SYNC_SIZE], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
int main(void) {
  for (int i = 0; i < SHMEM_BARRIER_SYNC_SIZE; i++) sync_words[i] = SHMEM_SYNC_VALUE;
  for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++) reduce_words[i] = SHMEM_SYNC_VALUE;
  shmem_init();
  int me = shmem_my_pe(), n = shmem_n_pes();
  long *heap = shmem_calloc(100, sizeof(long));
  (void)n, (void)y, (void)work, (void)lock;
  $body
  shmem_barrier_all();
  shmem_free(heap);
  shmem_finalize();
  return 0;
}
END
  "$OTHER_OSHCC" -g -O1 "$@" "$scratch/$name.c" -o "$scratch/$name" || complain "it does not compile"
}
# Its loads and stores are seen, too.
# shellcheck disable=SC2046  # flags are words
function instrumented { program "$@" $("$BUILD_TREE/bin/oshcc" --showme:race=oshmem); }

# PES NAME [OPTION...], by that library's launcher.
function launched {
  UCX_TLS=${transports:-sysv,cma,self} SHMEM_SYMMETRIC_SIZE=16M timeout -k 5 40 "${OTHER_OSHCC%oshcc}oshrun" --allow-run-as-root \
    --oversubscribe --bind-to none --mca osc ucx --mca btl_vader_backing_directory "$scratch" "${@:3}" -n "$1" "$scratch/$2"
}
# Open MPI 4.1 hangs in shmem_init in one start of some hundred, without the check, too: then it is started again.
function started {
  local status again
  for again in yes yes no; do
    launched "$@" >"$scratch/told" 2>"$scratch/complained"; status=$?
    { [ $status = 124 ] || [ $status = 137 ]; } && [ $again = yes ] || break
  done
  cat "$scratch/told"; cat "$scratch/complained" >&2
  return $status
}
function checked { started "$1" "$2" -x LD_PRELOAD="$checker" -x ATRIUM_RACES=on -x ATRIUM_QUIET=1; }
function says { expect grep -qE "$1" "$scratch/err"; }
# The library's own chatter is not ours.
function said { grep -c '^atrium: ' "$scratch/err"; }
function is_clean { expect_status 0 checked "$@"; expect [ "$(said)" = 0 ]; }

another_library_has_races_between_puts_told() {
  program racy 'if (me != 1) shmem_long_p(&x, me, 1);
  if (me == 0) { shmem_long_put(heap, y, 10, 1);
    shmem_long_put(heap + 9, y, 10, 1); }'
  expect_status 66 checked 3 racy
  says '^atrium: race: PE [02] writes 8 bytes that PE [02] is putting: racy.c:11 and racy.c:11$'
  says '^  where  `x` of PE 1 \(static\)$'
  says '^  PE 0   shmem_long_put, 80 bytes +racy.c:12 in main; no fence or quiet since$'
  says '^  PE 0   shmem_long_put, 80 bytes +racy.c:13 in main$'
  says 'byte 72 of the block of 800 bytes from shmem_calloc, racy.c:9, on PE 1'
  program repaired 'if (me == 0) { shmem_long_put(heap, y, 10, 1); shmem_fence(); shmem_long_put(heap + 9, y, 10, 1); shmem_long_p(&x, me, 1); }
  shmem_barrier_all(); if (me == 2) shmem_long_p(&x, me, 1);'
  is_clean 3 repaired
}
another_library_has_races_of_loads_told() {
  instrumented racy 'if (me == 0) shmem_long_put(y, heap, 10, 1);
  else printf("%ld", y[3]);'
  expect_status 66 checked 2 racy
  says '^  PE 1   load, 8 bytes +racy.c:12 in main'
  says '^  PE 0   shmem_long_put, 80 bytes +racy.c:11 in main'
  instrumented repaired 'if (me == 0) shmem_long_put(y, heap, 10, 1); shmem_barrier_all();
  if (me == 1) { printf("%ld", y[3]); *(long *)shmem_ptr(heap, 0) = 2; }'
  is_clean 2 repaired
}
another_library_s_active_sets_order_their_members() {
  local before='if (me == 1) shmem_long_put(heap, y, 10, 0);'
  local after='if (me == 0) printf("%ld", heap[3]);'
  instrumented repaired "$before if (me < 2) shmem_barrier(0, 0, 2, sync_words); $after"'
  y[0] = me; shmem_long_sum_to_all(y + 1, y, 1, 0, 0, n, work, reduce_words); if (y[1] == 3) y[0] = 7;'
  is_clean 3 repaired
  instrumented racy "$before if (me > 0) shmem_barrier(1, 0, 2, sync_words); $after"
  expect_status 66 checked 3 racy
  says 'race: PE [01] (loads|writes)'
}
# What is asked of static memory, its PE does in calls, also while it waits for the check's own locks. A lock's words are
# the library's, and so are its accesses to them.
another_library_goes_on_while_the_check_waits() {
  program busy 'for (int i = 0; i < 300; i++) shmem_long_atomic_add(&x, 1, i % n);
  for (int i = 0; i < 100; i++) (void)shmem_long_atomic_fetch_inc(&x, i % n);
  for (int i = 0; i < 20; i++) { shmem_set_lock(&lock); shmem_long_p(y, shmem_long_g(y, 0) + 1, 0); shmem_clear_lock(&lock); }
  shmem_barrier_all(); if (me == 0) printf("%ld %ld\n", x, y[0]);'
  is_clean 4 busy
  expect [ "$(cat "$scratch/out")" = "400 80" ]
}
another_library_without_shared_memory_is_not_checked() {
  program racy 'if (me != 1) shmem_long_p(&x, me, 1);'
  transports=tcp,self expect_status 0 checked 3 racy
  says '^atrium: race check: off: shmem_ptr leads to no memory of PE 1, as for one on another node'
  expect [ "$(said)" = 1 ]
}
