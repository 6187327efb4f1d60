# Back traces of crashes.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317  # PEs expand their own variables; cases are called by name

a_crash_shows_where_it_was() {
  expect_status 139 oshrun --backtrace -n 2 "$VICTIM" segv barrier
  expect grep -q 'PE 1 on .*signal 11 at address 0x10' "$scratch/err"
  ! gdb -batch -ex run --args true >/dev/null 2>&1 </dev/null || expect grep -q 'end_by\|main' "$scratch/err"
  expect grep -q 'PE 1 (pid .* was ended by signal 11' "$scratch/err"
}
an_abort_shows_where_it_was() {
  has_sanitizers && return 77  # gdb would stop in their vfork
  expect_status 134 oshrun --backtrace -n 2 "$VICTIM" abort barrier; expect grep -q 'abort' "$scratch/err"
}
a_crash_shows_names_where_there_is_no_gdb() {
  PATH=/nowhere expect_status 139 /usr/bin/env "$BUILD_TREE/bin/oshrun" -q --backtrace -n 2 "$VICTIM" segv barrier
  expect grep -q 'gdb installed' "$scratch/err"; expect grep -q victim "$scratch/err"
}
without_the_flag_nothing_is_traced() { expect_status 139 oshrun -n 2 "$VICTIM" segv barrier; expect [ "$(grep -c 'back trace' "$scratch/err")" = 0 ]; }
a_signal_that_was_sent_has_a_sender_and_no_address() {
  start_oshrun -n 1 --backtrace "$VICTIM" hang barrier >"$scratch/out" 2>"$scratch/err"; is_ready() { grep -qx ready "$scratch/out"; }; expect_soon is_ready
  pkill -SEGV -P "$launcher" -f "$VICTIM"; wait "$launcher"; expect [ $? = 139 ]
  expect grep -q 'signal 11, sent by process [0-9]*; back trace' "$scratch/err"
}
