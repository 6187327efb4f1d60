# Programs that only look as if they hung: while some PEs wait, one is at work, or is kept waiting from outside. Never told.
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests: SYNC lobby-looks
# shellcheck shell=bash disable=SC2317  # cases are called by name

function says_nothing_of_it { expect [ "$(grep -c deadlock: "$scratch/err")" = 0 ]; expect grep -q 'PE 0 has come to the end' "$scratch/out"; }
function goes_on { expect_status 0 oshrun --check -n "${2:-2}" "$LOOKS_LIKE" "$1"; says_nothing_of_it; }
function has_line { grep -qx "$1" "$scratch/out"; }

a_pe_that_computes() { goes_on computes; }
a_pe_that_computes_among_sixteen() { goes_on computes 16; }
a_pe_that_sleeps() { goes_on sleeps; }
a_pe_that_waits_for_a_child() { goes_on waits_for_a_child; }
a_pe_that_tests() { goes_on tests_until_then; }
a_pe_that_puts_now_and_then() { goes_on puts_a_little_now_and_then; }
a_pe_that_waits_for_an_alarm() { goes_on waits_for_an_alarm; }
a_thread_that_reads_a_pipe() { goes_on thread_reads_a_pipe; }
a_thread_that_sleeps() { goes_on thread_sleeps; }
a_thread_that_waits_for_a_semaphore_of_another_process() { goes_on thread_waits_for_a_semaphore; }
threads_that_take_turns() { goes_on threads_take_turns; }
a_pe_that_comes_late() { goes_on comes_late; }
a_pe_that_goes_late() { goes_on goes_late; }
a_pe_alone_that_waits_for_an_alarm() { goes_on waits_for_an_alarm 1; }

a_pe_that_reads_input() {
  { sleep 5; echo line; } | ATRIUM_QUIET=1 "$BUILD_TREE/bin/oshrun" --check -n 2 "$LOOKS_LIKE" reads_input >"$scratch/out" 2>"$scratch/err"
  expect [ $? = 0 ]; says_nothing_of_it
}
a_pe_that_waits_for_a_signal() {
  start_oshrun --check -n 2 "$LOOKS_LIKE" waits_for_a_signal >"$scratch/out" 2>"$scratch/err"
  expect_soon has_line ready; sleep 5; kill -USR1 "$launcher"; wait "$launcher"; expect [ $? = 0 ]; says_nothing_of_it
}
# PE 1 waits for PE 0, which is stopped before it has come.
a_pe_that_is_stopped() {
  start_oshrun --check -n 2 "$LOOKS_LIKE" sleeps >"$scratch/out" 2>"$scratch/err"
  started() { pgrep -P "$launcher" -f "$LOOKS_LIKE" >/dev/null; }; expect_soon started; sleep 0.5
  pkill -STOP -P "$launcher" -f "$LOOKS_LIKE"; sleep 4; pkill -CONT -P "$launcher" -f "$LOOKS_LIKE"
  wait "$launcher"; expect [ $? = 0 ]; says_nothing_of_it
}
# Not called dead, but hinted at: a loop of tests that nobody ends.
a_pe_that_tests_for_ever_is_hinted_at() {
  start_oshrun --check -n 2 "$LOOKS_LIKE" tests_for_ever >"$scratch/out" 2>"$scratch/err"
  says() { grep -q "$1" "$scratch/err"; }
  expect_soon says '^ *if nobody stops testing, that is a deadlock$'
  expect says '^atrium: hint: for a while no PE has done anything but wait, or test without success$'
  expect says '^  PE 0 *tests in shmem_int_test'; expect says '^  PE 1 *waits in shmem_barrier_all'
  sleep 2; kill -TERM "$launcher"; wait "$launcher"; expect [ $? = 143 ]; expect [ "$(grep -c deadlock: "$scratch/err")" = 0 ]
}
