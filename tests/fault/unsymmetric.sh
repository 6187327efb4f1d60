# Memory that is not symmetric, named to another PE: without any setting the job ends with a message that says what it was.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

# told KIND HOW WORDS [OPTION...]: the job ends, and says what the memory is.
function told {
  local kind=$1 how=$2 words=$3; shift 3
  expect_status 1 oshrun -n 2 "$@" "$UNSYMMETRIC" "$kind" "$how"
  expect grep -q 'an address is not in symmetric memory' "$scratch/err"
  expect grep -q "because: .*$words" "$scratch/err"
  expect grep -q 'try: ' "$scratch/err"
}
# Of the sanitizers, address's says the same of malloc's blocks in words of its own.
function needs_holes { has_sanitizers && skip "a sanitizer's handler is met, or its address space is narrow"; return 0; }

memory_from_malloc_is_told_with_routine_and_line() {
  needs_holes
  told malloc p 'is a block from malloc, of which PE 1 has no copy'
  needs_lines
  expect grep -q 'while: *shmem_long_p, called from unsymmetric.c:[0-9]* in use' "$scratch/err"
}
a_copy_by_the_c_library_is_told_with_routine_and_line() {
  needs_holes
  told large many 'is memory from malloc'
  needs_lines
  expect grep -q 'while: *shmem_putmem, called from unsymmetric.c:[0-9]* in use' "$scratch/err"
}
every_way_of_access_is_told() {
  needs_holes
  for how in g put get amo inc swap iput nbi signal; do
    told malloc $how 'is a block from malloc'; told stack $how 'is a local variable'
  done
}
every_kind_of_memory_is_told_by_its_name() {
  needs_holes
  told large p 'is memory from malloc or mmap'; told mapped g 'is memory from malloc or mmap'
  told thread p 'is a thread-local variable'; told constant g 'is a constant of the program'
  told code g 'is code of the program'; told library p 'of libc'
  told peer p 'is memory of another PE, as shmem_ptr gives it'
}
what_lies_behind_the_end_is_told() {
  needs_holes
  told behind_globals p "bytes behind the end of the program's static data"
  SHMEM_SYMMETRIC_SIZE=1048576 told behind_heap p 'bytes behind the end of the symmetric heap'
  SHMEM_SYMMETRIC_SIZE=1048576 ATRIUM_SEGMENT=sysv told behind_heap g 'bytes behind the end of the symmetric heap'
}
executables_at_fixed_addresses_are_like_others() {
  needs_holes; UNSYMMETRIC=$FIXED
  told malloc p 'is a block from malloc'; told stack put 'is a local variable'; told library g 'of libc'
}
static_executables_are_like_others() {
  [ -n "$STATIC" ] || skip "sanitizers cannot be linked statically"
  needs_holes; UNSYMMETRIC=$STATIC
  told malloc put 'is a block from malloc'; expect grep -q 'while: *shmem_long_put, called from unsymmetric.c:[0-9]* in use' "$scratch/err"
  ATRIUM_INLINE=off told stack p 'is a local variable'; expect grep -q 'while: *shmem_long_p, called from unsymmetric.c:[0-9]* in use' "$scratch/err"
  told thread p 'is a thread-local variable'
}
arguments_that_are_checked_are_told_by_what_they_are() {
  needs_holes
  local kind words
  for kind in malloc:'is a block from malloc, not in the symmetric heap' stack:'is a local variable (the stack), not in' \
      constant:'is a constant of the program, such as a string, not in'; do
    words=${kind#*:}; expect_status 1 oshrun --check -n 2 "$UNSYMMETRIC" "${kind%%:*}" g
    expect grep -q 'is not in symmetric memory' "$scratch/err"; expect grep -q "because: .*$words" "$scratch/err"
  done
}
arguments_that_are_checked_have_the_line_in_static_executables_too() {
  [ -n "$STATIC" ] || skip "sanitizers cannot be linked statically"
  needs_holes; UNSYMMETRIC=$STATIC
  expect_status 1 oshrun --check -n 2 "$UNSYMMETRIC" stack p
  expect grep -q 'while: *shmem_long_p, called from unsymmetric.c:[0-9]* in use' "$scratch/err"
}
programs_without_debugging_information_are_told_the_place() {
  needs_holes; UNSYMMETRIC=$BARE told malloc p 'is a block from malloc'; expect grep -q 'while: *a call from use of unsymmetric_bare$' "$scratch/err"
}
every_kind_of_segment_has_closed_holes() {
  needs_holes
  for kind in memfd posix sysv; do
    for size in 64K 100M 2G; do ATRIUM_SEGMENT=$kind SHMEM_SYMMETRIC_SIZE=$size told malloc put 'is a block from malloc'; done
    ATRIUM_SEGMENT=$kind ATRIUM_HUGE_PAGES=on told malloc get 'is a block from malloc'
  done
}
without_randomization_it_is_told() {
  needs_holes
  setarch -R true 2> /dev/null || skip "address space randomization cannot be switched off here"
  function oshrun { setarch -R "$BUILD_TREE/bin/oshrun" "$@"; }
  told malloc p 'is a block from malloc'; told stack p 'is a local variable'
  UNSYMMETRIC=$FIXED told malloc p 'is a block from malloc'
}
where_addresses_are_few_it_is_told() { needs_holes; ulimit -v 4000000; told malloc p 'is a block from malloc'; }
by_the_library_it_is_told() { needs_holes; ATRIUM_INLINE=off told malloc p 'is a block from malloc'; expect grep -q 'shmem_long_p' "$scratch/err"; }
sixty_four_pes_are_told() {
  needs_holes
  for pes in 3 16 64; do
    expect_status 1 oshrun -n $pes "$UNSYMMETRIC" malloc p
    expect grep -q "is a block from malloc, of which PE $((pes - 1)) has no copy" "$scratch/err"
  done
}
between_nodes_it_is_told() {
  expect_status 1 oshrun --nodes 2 -n 2 "$UNSYMMETRIC" malloc p; expect grep -q 'is not in symmetric memory' "$scratch/err"
}
symmetric_memory_is_reached_by_however_many() {
  for pes in 2 7 66; do
    expect_status 0 oshrun -n $pes "$UNSYMMETRIC" symmetric put; expect [ "$(grep -c "done" "$scratch/out")" = $pes ]
  done
}
# Peers far away are mapped when they are named, each by what the library does first for it.
peers_far_away_are_told() {
  needs_holes
  function told_of { expect_status 1 oshrun -q -n "$1" "$2" malloc "$3" "$4"
    expect grep -q "is a block from malloc, of which PE $4 has no copy" "$scratch/err"; }
  told_of 130 "$UNSYMMETRIC" p 100; ATRIUM_SEGMENT=sysv told_of 24 "$FIXED" get 12
}
peers_far_away_are_reached_by_every_way() {
  for how in every fcollect; do
    expect_status 0 oshrun -q -n 66 "$UNSYMMETRIC" symmetric $how 33; expect [ "$(grep -c "done" "$scratch/out")" = 66 ]
  done
}
# docs/design/memory.md says how many there are.
a_peer_takes_four_mappings_and_one_far_away_none_before_it_is_named() {
  has_sanitizers && skip "a sanitizer maps memory of its own"
  # At random addresses the kernel joins two mappings now and then.
  setarch -R true 2>/dev/null || skip "address space randomization cannot be switched off here"
  function mappings { oshrun -q --same-addresses -n "$1" "$UNSYMMETRIC" maps "$2" | sed -n 's/^\([0-9]*\) mappings$/\1/p'; }
  local one two eight sixteen many named
  one=$(mappings 1 p) two=$(mappings 2 p) eight=$(mappings 8 p) sixteen=$(mappings 16 p) many=$(mappings 66 p) named=$(mappings 66 all)
  expect [ $((two - one)) -le 4 ]; expect [ $((eight - two)) -le 24 ]; expect [ $((sixteen - eight)) -le 32 ]; expect [ $((sixteen - eight)) -ge 28 ]
  expect [ $((many - eight)) -le 6 ]; expect [ $((named - many)) -le 236 ]; expect [ $((named - many)) -ge 228 ]
}
# The kernel makes them under a lock of the segment's file, and a start of 64 PEs takes half a millisecond more for each.
a_start_takes_no_more_calls_for_mappings_with_more_pes() {
  has_sanitizers && skip "a sanitizer maps memory of its own"
  need strace
  function calls_of_a_pe {
    expect_status 0 strace -f -e trace=execve,mmap,mremap,mprotect,madvise -o "$scratch/trace" "$BUILD_TREE/bin/oshrun" -q -n "$1" "$UNSYMMETRIC" maps p
    awk '/execve\("[^"]*unsymmetric/ { pes[$1] } /(mmap|mremap|mprotect|madvise)\(/ && $1 in pes { calls++ } END { for (pe in pes) n++; print int(calls / n) }' "$scratch/trace"; }
  local one few many; one=$(calls_of_a_pe 1) few=$(calls_of_a_pe 8) many=$(calls_of_a_pe 30)
  expect [ "$one" -gt 10 ]; expect [ $((few - one)) -le 16 ]; expect [ $((many - few)) -le 2 ]
}
