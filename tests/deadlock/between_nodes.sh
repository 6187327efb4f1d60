# Jobs on several nodes, which oshrun --nodes pretends: hangs are told as on one; what is under way between nodes is no hang.
# SPDX-License-Identifier: BSD-3-Clause
#
# Tests: SYNC traffic
# shellcheck shell=bash disable=SC2317  # cases are called by name

function ended { threads_are_judged; expect_status 35 oshrun --check "$@"; expect [ "$(grep -c 'atrium: deadlock:' "$scratch/err")" = 1 ]; }
function goes_on { expect_status 0 oshrun --check "$@"; expect [ "$(grep -c deadlock: "$scratch/err")" = 0 ]; expect grep -q 'PE 0 has come to the end' "$scratch/out"; }
function said {
  local pattern
  for pattern; do expect grep -q -- "$pattern" "$scratch/err"; done
}

between_nodes_a_barrier_and_a_flag_hang() {
  ended --nodes 2 -n 4 "$HANGS" barrier_and_flag
  said "^atrium: deadlock: all 4 PEs wait, and nobody else can end that$" "^  PE 0 *waits in shmem_barrier_all" "^ *for PEs 1-3$" \
    "^  PEs 1-3 *wait in shmem_int_wait_until" "of its own to be == 1 (it is 0), which another PE would set$"
}
between_nodes_locks_hang_crosswise() {
  ended --nodes 2 -n 2 "$HANGS" locks_crosswise
  said "for the lock that PE 1 holds, or waits for in front of it$" "^  cycle *PE 0 -> PE 1 -> PE 0$"
}
between_nodes_a_ring_hangs_where_some_nodes_have_more_pes() { ended --nodes 1+3 -n 4 "$HANGS" ring_without_a_first; said "^  PEs 0-3 *wait in shmem_int_wait_until"; }
between_nodes_an_active_set_of_some_hangs() {
  ended --nodes 2 -n 4 "$HANGS" active_set_of_some
  said "^atrium: deadlock: all 4 PEs wait, and nobody else can end that$" "^  PEs 1-2 *wait in shmem_broadcast64" "^  PE 3 *waits in shmem_broadcast64 of a team of PEs 0-3" "^ *for PE 0$"
  expect [ "$(grep -c 'why' "$scratch/err")" = 0 ]
}
between_nodes_a_pe_that_has_come_to_the_end_waits_for_the_others() {
  threads_are_judged
  ended --nodes 2 -n 2 "$HANGS" wait_of_all_but_one
  said "^  PE 0 *waits in shmem_finalize" "^  PE 1 *waits in shmem_int_wait_until"
}
between_nodes_a_barrier_that_one_pe_leaves_out_is_told() {
  threads_are_judged
  expect_status 1 oshrun --nodes 2 -n 3 "$HANGS" barrier_of_all_but_one; said "PE 0 on .* do not make the same collective call"
  expect_status 1 oshrun --check --nodes 2 -n 3 "$HANGS" barrier_of_all_but_one; said "here it is a barrier (hangs.c" "on the team's PE 0 shmem_finalize (hangs.c"
}
between_nodes_a_reduction_that_one_pe_leaves_out_is_told() {
  expect_status 35 oshrun --check=deadlock --nodes 2 -n 3 "$HANGS" reduction_of_all_but_one
  said "^atrium: deadlock: all 3 PEs wait, since the PEs do not make the same collective calls$" "^  PE 0 *waits in shmem_finalize" \
    "^  PEs 1-2 *wait in shmem_long_sum_reduce" "^  try *the same collectives in the same order on all members of each team; oshrun --check names"
}
between_nodes_an_allocation_of_all_but_one_differs_from_the_end() {
  expect_status 1 oshrun --nodes 2 -n 2 "$HANGS" allocation_of_all_but_one
  said "a shmem_malloc of 80 bytes (hangs.c" "shmem_finalize"
  expect_status 1 oshrun --nodes 3 -n 6 "$HANGS" allocation_of_all_but_one
  said "a shmem_malloc of 80 bytes (hangs.c" "shmem_finalize"
}
between_nodes_every_way_of_waiting_hangs() {
  local wait
  for wait in spin yield block; do ATRIUM_WAIT=$wait ended --nodes 2 -n 2 "$HANGS" barrier_and_flag; done
}
# The thread that carries out the others' commands is no part of the program either.
between_nodes_pes_without_an_endpoint_hang() { ATRIUM_ENDPOINTS=1 ended --nodes 2 -n 4 "$HANGS" barrier_and_flag; }
between_nodes_a_pe_without_an_endpoint_that_puts_now_and_then_is_no_hang() { ATRIUM_ENDPOINTS=1 goes_on --nodes 2 -n 4 "$LOOKS_LIKE" puts_a_little_now_and_then; }
between_nodes_a_pe_that_computes_is_no_hang() { goes_on --nodes 2 -n 3 "$LOOKS_LIKE" computes; }
between_nodes_a_pe_that_puts_now_and_then_is_no_hang() { goes_on --nodes 2 -n 2 "$LOOKS_LIKE" puts_a_little_now_and_then; }
between_nodes_a_signal_under_way_is_no_hang() { goes_on --nodes 2 -n 2 "$UNDER_WAY" signal; }
between_nodes_a_transfer_under_way_is_no_hang() { goes_on --nodes 2 -n 2 "$UNDER_WAY" transfer; }
