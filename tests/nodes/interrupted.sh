# Signal handlers and pthread_cancel in the middle of a call between nodes.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

a_routine_that_a_handler_calls_in_the_middle_of_another_is_refused() {
  local endpoints
  for endpoints in 1 all; do
    ATRIUM_ENDPOINTS=$endpoints expect_status 1 oshrun -n 4 --nodes 2 "$INTERRUPTED" handler
    expect grep -q 'a signal handler has called an OpenSHMEM routine' "$scratch/err"; expect grep -q 'try: .*sig_atomic_t' "$scratch/err"
  done
}
a_handler_may_end_the_program_in_the_middle_of_a_routine() { expect_status 5 oshrun -n 4 --nodes 2 "$INTERRUPTED" exit; }
a_thread_that_is_cancelled_in_a_wait_holds_nobody_up() {
  local wait
  for wait in auto spin block; do
    ATRIUM_WAIT=$wait expect_status 0 oshrun -n 4 --nodes 2 "$INTERRUPTED" cancel; expect grep -qx 'all are joined' "$scratch/out"
  done
}
