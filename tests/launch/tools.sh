# PEs under debuggers and other tools.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317  # PEs expand their own variables; cases are called by name

chosen_pes_are_wrapped() {
  expect_status 0 oshrun -n 4 --wrap '1,3:env WRAPPED=yes' sh -c 'echo $ATRIUM_JOB_PE $WRAPPED'
  expect [ "$(sort "$scratch/out" | tr '\n' '|')" = '0|1 yes|2|3 yes|' ]
}
all_pes_can_be_wrapped() { expect_status 0 oshrun -n 3 --wrap 'all:env WRAPPED=yes' sh -c 'echo $WRAPPED'; expect [ "$(grep -c yes "$scratch/out")" = 3 ]; }
wraps_can_be_nested() { expect_status 0 oshrun -n 1 --wrap '0:env A=1' --wrap '0:env B=2' sh -c 'echo $A$B'; expect [ "$(cat "$scratch/out")" = 12 ]; }
function need_gdb { need gdb; gdb -batch -ex run --args true >/dev/null 2>&1 </dev/null || skip "gdb cannot trace processes here"; }
gdb_without_a_terminal_prints_where_a_pe_crashes() {
  need_gdb
  without_leak_check expect_status 255 oshrun -n 2 --gdb=1 "$SEAT" init 1:kill=11 hang
  expect grep -q 'SIGSEGV' "$scratch/out"; expect grep -qE '(in|#[0-9]+) +main' "$scratch/out"
}
gdb_passes_a_good_status_on() {
  need_gdb
  without_leak_check expect_status 0 oshrun -n 2 --gdb "$SEAT" check init finalize
}
valgrind_runs_chosen_pes() {
  need valgrind; has_sanitizers && skip "valgrind and sanitizers do not mix"
  expect_status 0 oshrun -n 2 --valgrind=0 "$SEAT" check init finalize print=ok; expect [ "$(grep -c ok "$scratch/out")" = 2 ]
}
