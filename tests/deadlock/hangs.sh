# Programs that hang: oshrun says so by itself, names every wait with its line, who would have to act, and the cycle.
# SPDX-License-Identifier: BSD-3-Clause
soon=60  # seconds: a hang is looked for during several, beside other tests
# shellcheck shell=bash disable=SC2317  # cases are called by name

# line_of TEXT: where it stands in the program, as reports write it.
function line_of { echo "hangs.c:$(grep -nF -- "$1" "$SOURCE_TREE/tests/deadlock/hangs.c" | head -1 | cut -d: -f1) in"; }
# said PATTERN...: each on a line of the report. Without libdw.so.1 there are addresses instead of lines.
function said {
  local pattern
  needs_lines
  for pattern; do expect grep -q -- "$pattern" "$scratch/err"; done
}
# ended N PROGRAM...: with a report and its own status.
function ended { local pes=$1; shift; expect_status 35 oshrun --check -n "$pes" "$HANGS" "$@"; expect [ "$(grep -c 'atrium: deadlock:' "$scratch/err")" = 1 ]; }

a_barrier_and_a_flag() {
  ended 2 barrier_and_flag
  said "^atrium: deadlock: all 2 PEs wait, and nobody else can end that$" \
    "^  PE 0   waits in shmem_barrier_all ($(line_of 'if (me == 0) shmem_barrier_all')" \
    "^         for PE 1$" \
    "^  PE 1   waits in shmem_int_wait_until ($(line_of '&flag, SHMEM_CMP_EQ, 1')" \
    "^         for \`flag\` of its own to be == 1 (it is 0), which PE 0 would set$" "^  cycle  PE 0 -> PE 1 -> PE 0$" \
    "^         the job is ended, with status 35$"
}
a_child_that_has_ended_hides_nothing() { ended 2 child_that_has_ended; said "^  cycle  PE 0 -> PE 1 -> PE 0$"; }
locks_crosswise() {
  ended 2 locks_crosswise
  said "^  PE 0 *waits in shmem_set_lock ($(line_of 'shmem_set_lock(second)')" \
    "^         for the lock that PE 1 holds, or waits for in front of it$" "^  cycle  PE 0 -> PE 1 -> PE 0$" \
    "^  try    setting locks in the same order on all PEs$"
}
a_lock_that_is_set_twice() {
  expect_status 35 oshrun --check=deadlock -n 1 "$HANGS" lock_twice
  said "^atrium: deadlock: the only PE there is waits, and nobody can end that$" "for the lock that it has set before$" "^  cycle  PE 0 -> PE 0$"
}
a_lock_and_a_barrier() {
  ended 4 lock_and_barrier
  said "^  PE 0 *waits in shmem_barrier_all" "^ *for PEs 1-3$" "wait[s]* in shmem_set_lock ($(line_of 'if (me != 0) shmem_set_lock')" "^  cycle *PE 0 -> PE [123] -> PE 0$"
}
teams_in_another_order() {
  ended 3 teams_in_other_order
  said "^  PE 0 *waits in shmem_team_sync of a team of PEs 0-1 ($(line_of 'if (me == 0) shmem_team_sync')" \
    "^  PE 1 *waits in shmem_broadcastmem of SHMEM_TEAM_WORLD ($(line_of 'shmem_broadcastmem')" \
    "^atrium: deadlock: all 3 PEs wait, since the PEs do not make the same collective calls$" "^  try *the same collectives in the same order on all members of each team$"
}
a_reduction_of_all_but_one() {
  expect_status 35 oshrun --check=deadlock -n 3 "$HANGS" reduction_of_all_but_one
  said "^atrium: deadlock: all 3 PEs wait, since the PEs do not make the same collective calls$" "^  PE 0 *waits in shmem_finalize ($(line_of 'shmem_finalize();') main)$" \
    "^  PEs 1-2  wait in shmem_long_sum_reduce" "^  try *the same collectives in the same order on all members of each team; oshrun --check names the first that differs$"
}
a_lock_that_is_held_in_an_allocation() {
  ended 2 lock_and_allocation
  said "^atrium: deadlock: all 2 PEs wait, and nobody else can end that$" "^  PE 0 *waits in shmem_malloc" "^  PE 1 *waits in shmem_set_lock" \
    "^ *for the lock that PE 0 holds" "^  try *shmem_clear_lock before shmem_malloc$"
}
under_the_race_checker_the_program_s_own_calls_are_named() {
  has_sanitizers && skip "a program with a sanitizer cannot be checked for races"
  expect_status 35 oshrun --check=races,deadlock -n 2 "$HANGS" wait_of_all_but_one
  said "^  PE 0 *waits in shmem_finalize ($(line_of 'shmem_finalize();') main)$" "^  PE 1 *waits in shmem_int_wait_until"
}
a_value_that_has_passed() {
  ended 2 value_that_has_passed
  said "^ *for \`counter\` of its own to be == 3 (it is 4), which PE 1 would set$" "has passed the value that is waited for$" "^  try *SHMEM_CMP_GE instead"
}
a_signal_to_nobody() {
  ended 3 signal_to_nobody
  said "^  PE 0 *waits in shmem_signal_wait_until" "for \`news + 8 bytes\` of its own to be >= 7 (it is 0), which another PE would set$" \
    "^  PEs 1-2 *wait in shmem_barrier_all" "^ *for PE 0$"
}
a_ring_without_a_first() {
  ended 5 ring_without_a_first
  said "^atrium: deadlock: all 5 PEs wait" "^  PEs 0-4  wait in shmem_int_wait_until ($(line_of '&flag, SHMEM_CMP_NE, 0')" "which another PE would set$"
}
a_name_of_c_is_no_type_of_cxx() { ended 2 word_named_f; said "^ *for \`f\` of its own to be != 0 (it is 0), which PE [01] would set$"; }
an_allocation_and_a_flag() {
  ended 2 allocation_and_flag
  said "^  PE 0 *waits in shmem_int_wait_until" \
    "^ *for the word 8 bytes into its block of 16 bytes, allocated at $(line_of 'shmem_calloc') allocation_and_flag, to be != 0 (it is 0), which PE 1 would set$" \
    "^  PE 1 *waits in shmem_malloc ($(line_of 'shmem_malloc(64)')" "^ *for PE 0$"
}
a_word_of_a_block_that_was_resized() {
  ended 2 word_of_a_resized_block
  said "^ *for the first word of its block of 800 bytes, allocated at $(line_of 'shmem_realloc(small') word_of_a_resized_block, to be >= 1 (it is 0)"
}
without_debug_information_a_word_is_told_by_its_block() {
  cp "$HANGS" "$scratch/stripped"; strip "$scratch/stripped"
  expect_status 35 oshrun --check -n 2 "$scratch/stripped" allocation_and_flag
  said "^ *for the word 8 bytes into its block of 16 bytes, which begins [0-9,]* bytes into the symmetric heap, to be != 0 (it is 0)"
}
any_of_many() { ended 2 any_of_many; said "^  PE 0 *waits in shmem_uint64_wait_until_any" "for a value that PE 1 would set$"; }
a_reduction_of_some() {
  ended 4 reduction_of_some
  said "^  PE 3 *waits in shmem_int_wait_until" "wait in shmem_long_sum_reduce ($(line_of 'shmem_long_sum_reduce')" "^ *for PE 3$"
}
an_active_set_of_some() {
  ended 4 active_set_of_some
  said "^  PEs 1-3  wait in shmem_broadcast64 ($(line_of 'shmem_broadcast64')" "^ *for PE 0$"
  expect [ "$(grep -c why "$scratch/err")" = 0 ]
}
threads_that_all_wait() { threads_are_judged; ended 2 threads; said "wait[s]* in shmem_int_wait_until ($(line_of 'shmem_int_wait_until(word')" ", and so does 1 more of its threads$"; }
sixteen_pes_take_two_lines() { ended 16 reduction_of_some; said "^  PEs 0-14  wait in shmem_long_sum_reduce" "^  PE 15 *waits in"; }

every_way_of_waiting() {
  local wait
  for wait in spin yield block; do ATRIUM_WAIT=$wait ended 2 barrier_and_flag; done
  ATRIUM_WAIT=block ended 5 reduction_of_some
}
without_check_it_is_said_once_and_nothing_is_ended() {
  start_oshrun -n 2 "$HANGS" barrier_and_flag >"$scratch/out" 2>"$scratch/err"
  says() { grep -q "$1" "$scratch/err"; }
  expect_soon says 'the job goes on waiting; oshrun --check ends such a job$'
  sleep 3; kill -TERM "$launcher"; wait "$launcher"; expect [ $? = 143 ]
  expect [ "$(grep -c 'atrium: deadlock:' "$scratch/err")" = 1 ]
}
beside_another_check_both_are_named() {
  has_sanitizers && skip "a program with a sanitizer cannot be checked for races"
  start_oshrun --check=races -n 2 "$HANGS" barrier_and_flag >"$scratch/out" 2>"$scratch/err"
  says() { grep -q "$1" "$scratch/err"; }
  expect_soon says 'the job goes on waiting; oshrun --check=races,deadlock ends such a job$'
  kill -TERM "$launcher"; wait "$launcher"
  expect_status 35 oshrun --check=races,deadlock -n 2 "$HANGS" barrier_and_flag
}
it_can_be_turned_off() {
  expect_status 124 env ATRIUM_DEADLOCK=0 ATRIUM_QUIET=1 "$BUILD_TREE/bin/oshrun" --check --timeout 5 -n 2 "$HANGS" barrier_and_flag
  expect [ "$(grep -c deadlock: "$scratch/err")" = 0 ]
}
a_patience_that_is_no_number_is_refused() {
  expect_status 2 env ATRIUM_DEADLOCK=soon "$BUILD_TREE/bin/oshrun" -n 2 "$HANGS"; expect grep -q ATRIUM_DEADLOCK "$scratch/err"
}
the_how_to_prints_what_it_says() {
  local page=$SOURCE_TREE/docs/howto/find-a-deadlock.md
  needs_lines
  sed -n '/^```c$/,/^```$/p' "$page" | sed '/^```/d' >"$scratch/hand_over.c"
  "$BUILD_TREE/bin/oshcc" -g "$scratch/hand_over.c" -o "$scratch/hand_over"
  expect_status 35 oshrun --check -n 2 "$scratch/hand_over"
  sed -n '/^atrium: deadlock:/,/^```$/p' "$page" | sed '/^```/d' >"$scratch/promised"
  expect [ -s "$scratch/promised" ]; expect diff "$scratch/promised" "$scratch/err"
  sed -i '10{h;d};11{G}' "$scratch/hand_over.c"
  "$BUILD_TREE/bin/oshcc" -g "$scratch/hand_over.c" -o "$scratch/hand_over"
  expect_status 0 oshrun --check -n 2 "$scratch/hand_over"; expect grep -qx 'result 42' "$scratch/out"; expect [ ! -s "$scratch/err" ]
}
