# Programs that only look as if they hung: while some PEs wait, one is at work, or is kept waiting from outside. Never told.
# SPDX-License-Identifier: BSD-3-Clause
soon=60  # seconds: a hang is looked for during several, beside other tests
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
# Starts CASE [SIGNAL] and sets `pe` and `address`.
function start_waiting {
  start_oshrun --check -n 2 "$LOOKS_LIKE" "$@" >"$scratch/out" 2>"$scratch/err"
  is_ready() { read -r _ pe address < <(grep '^ready ' "$scratch/out"); [ -n "$address" ]; }; expect_soon is_ready
}
function goes_on_with_signal {
  start_waiting "$1" "$(kill -l "$2")"; sleep 5; kill -"$2" "$pe"; wait "$launcher"; expect [ $? = 0 ]; says_nothing_of_it
}
a_pe_that_waits_for_a_signal() { goes_on_with_signal waits_for_a_signal USR1; }
a_pe_that_waits_for_sigint() { goes_on_with_signal waits_for_a_signal INT; }
a_pe_that_waits_for_sigterm() { goes_on_with_signal waits_for_a_signal TERM; }
a_pe_that_waits_for_sighup() { goes_on_with_signal waits_for_a_signal HUP; }
a_pe_that_waits_for_sigquit() { goes_on_with_signal waits_for_a_signal QUIT; }
a_pe_that_waits_for_sigwinch() { goes_on_with_signal waits_for_a_signal WINCH; }
a_pe_that_waits_for_sigchld() { goes_on_with_signal waits_for_a_signal CHLD; }
a_pe_that_waits_for_sigio() { goes_on_with_signal waits_for_a_signal IO; }
a_pe_that_catches_a_signal_since_before_shmem_init() { goes_on_with_signal catches_before_init TERM; }
a_thread_that_waits_for_a_signal() { goes_on_with_signal thread_waits_for_a_signal TERM; }
a_child_that_stores() { goes_on child_stores; }
a_grandchild_that_stores() { goes_on grandchild_stores; }
a_child_of_clone_that_stores() { goes_on child_of_clone_stores; }
a_second_child_that_stores() { goes_on second_child_stores; }
a_spawned_child_that_sends_a_signal() { goes_on spawned_child_sends_a_signal; }
a_debugger_that_sets_the_word() {
  without_leak_check start_waiting waits_for_a_debugger; "$LOOKS_LIKE" debugs "$pe" "$address" >"$scratch/debugger"
  case $? in 77) kill -KILL "$launcher"; echo "nobody may be debugged here"; return 77 ;; 0) ;; *) complain "the debugger failed" ;; esac
  wait "$launcher"; expect [ $? = 0 ]; says_nothing_of_it
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
