# What may be passed twice to one call, and what may not (specification, section 4.2).
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

# accepted WAY DISTANCE...: with source so many elements behind dest.
function accepted { local way=$1 distance; shift; for distance; do expect_status 0 oshrun --check -n 2 "$OVERLAPS" "$way" "$distance"; done; }
function refused {
  local way=$1 distance; shift
  for distance; do expect_status 1 oshrun --check -n 2 "$OVERLAPS" "$way" "$distance"; expect grep -q 'dest and s.* overlap' "$scratch/err"; done
}

reductions_and_scans_may_work_in_place() { for way in reduce scan; do accepted $way 0 4; refused $way 1 3; done; }
other_collectives_may_not() {
  refused broadcast 0 1 3; accepted broadcast 4
  refused collect 0 3; accepted collect 8
  refused fcollect 0 3 4 7; accepted fcollect 8
  refused alltoall 0 7; accepted alltoall 8
}
# Old programs do that, and the root's dest is left alone.
the_active_set_broadcast_may() { accepted old_broadcast 0 4; refused old_broadcast 2; }
elements_may_lie_between_those_of_the_other() {
  accepted alltoalls 1 3 16; refused alltoalls 0 2 14
  accepted iput 1 3 8; refused iput 2 6; accepted iget 1 8; refused iget 2
}
a_put_to_itself_is_no_harm() { for way in put get iput iget; do accepted $way 0; done; refused put 1 3; refused get 3; accepted put 4; }
a_signal_lies_apart_from_the_data() { refused signal 0 3; accepted signal 4; expect_status 1 oshrun --check -n 2 "$OVERLAPS" signal 1; expect grep -q 'dest and sig_addr' "$scratch/err"; }
an_overlap_is_told_with_bytes_and_line() {
  refused fcollect 7; expect grep -q 'dest is `memory` from byte 0 to 64, source is `memory` from byte 56 to 88' "$scratch/err"
  needs_lines
  expect grep -q 'called from overlaps.c:[0-9]* in main' "$scratch/err"
  refused broadcast 0; expect grep -q 'try: *another dest' "$scratch/err"
}
a_program_compiled_without_optimisation_is_checked_unless_that_is_switched_off() {
  expect_status 1 oshrun -n 2 "$UNOPTIMISED" put 1; expect grep -q 'dest and source overlap' "$scratch/err"
  ATRIUM_CHECK=0 expect_status 0 oshrun -n 2 "$UNOPTIMISED" put 1
  # One PE that checks and two that do not: what takes a meeting is not checked.
  expect_status 0 oshrun -n 3 bash -c '[[ $ATRIUM_JOB_PE != 1 ]] || export ATRIUM_CHECK=0; exec "$UNOPTIMISED" collect 8'
}
