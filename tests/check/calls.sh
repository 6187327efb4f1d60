# Calls that differ where the PEs meet anyway are compared without any setting; and the slips of a first program.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

# differs WAY WORDS...: the job ends, and the message has both calls.
function differs {
  expect_status 1 oshrun "${nodes[@]}" -n "$pes" "$CALLS" "$1"
  expect grep -q 'the PEs of a team do not make the same collective call' "$scratch/err"
  local words; for words in "${@:2}"; do expect grep -q "because: .*$words" "$scratch/err"; done
}
nodes=() pes=2

blocks_of_different_sizes_are_told() { differs sizes 'a shmem_malloc of 80 bytes' 'a shmem_malloc of 40 bytes'; }
different_routines_that_allocate_are_told() {
  differs kinds 'a shmem_calloc of 80 bytes' 'a shmem_malloc of 80 bytes'
  differs alignments 'at a multiple of 64' 'at a multiple of 4096'
}
different_blocks_are_told() {
  differs realloc 'a shmem_realloc of 160 bytes' 'a shmem_realloc of 80 bytes'
  differs free 'a shmem_free of 64 bytes at offset 0' 'at offset 64'
}
an_allocation_on_one_pe_alone_is_told_as_calls_that_differ() {
  differs alone 'shmem_finalize' 'a shmem_malloc of 80 bytes'; differs barrier 'a shmem_malloc of 80 bytes'
}
barriers_on_one_pe_alone_are_told_with_what_tells_more() {
  differs "lone barriers" 'here it is shmem_finalize (calls.c:[0-9]* in main), on the team.s PE 0 another collective call'
  expect grep -q 'try: .*oshrun --check to be told which calls differ' "$scratch/err"
}
# The others' shmem_finalize meets it. If they look late, that PE has come to shmem_finalize, too, and has made one barrier more.
a_barrier_on_one_pe_alone_is_always_told() {
  local pes
  for pes in 2 2 2 2 2 2 2 2 3 4 5 7; do differs "lone barrier" 'here it is shmem_finalize'; done
  ATRIUM_WAIT=block differs "late lone barrier" 'here it is shmem_finalize'
}
a_collective_that_one_pe_alone_has_left_is_told_by_its_count() {
  differs "lone broadcast" 'here it is shmem_finalize (calls.c:[0-9]* in main), on the team.s PE [0-2] shmem_finalize (calls.c:[0-9]* in main), after 1 collective call \(more\|fewer\)'
  pes=3; differs "lone broadcast" 'after 1 collective call \(more\|fewer\)'
}
between_nodes_they_are_told_on_whatever_node_that_pe_is() {
  local which
  pes=5 nodes=(--nodes 2)
  differs "lone broadcast" 'after 1 collective call \(more\|fewer\)'
  for which in 0 1 2 3 4; do LONE_PE=$which differs "lone barrier" 'here it is shmem_finalize'; done
}
teams_of_different_shapes_are_told() { differs splits 'size 1' 'size 2'; differs grids 'x range of 1' 'x range of 2'; }
between_nodes_they_are_told() { nodes=(--nodes 2); differs sizes 'of 80 bytes' 'of 40 bytes'; differs splits 'size 1' 'size 2'; }
equal_calls_are_not_told() {
  for pes in 1 2 3 5; do expect_status 0 oshrun -n $pes "$CALLS" right; done
  expect_status 0 oshrun --nodes 2 -n 3 "$CALLS" right; expect_status 0 oshrun --check -n 2 "$CALLS" right
}
a_second_thread_is_refused_where_one_was_asked_for() {
  expect_status 1 oshrun --check -n 2 "$CALLS" thread; expect grep -q 'a second thread calls OpenSHMEM' "$scratch/err"
  expect grep -q 'try: *shmem_init_thread with' "$scratch/err"
  expect_status 0 oshrun -n 2 "$CALLS" thread
}
a_program_without_oshrun_is_told_so() {
  expect_status 1 "$CALLS" outside; expect grep -q 'because: .*started without oshrun' "$scratch/err"
  expect grep -q 'try: *oshrun -n 2 ' "$scratch/err"
}
