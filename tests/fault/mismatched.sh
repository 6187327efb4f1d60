# Collective calls that differ from PE to PE, with ATRIUM_CHECK=1.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

# differs ABOUT WORDS: the job ends, and the one message has these words.
function differs {
  ATRIUM_CHECK=1 expect_status 1 oshrun -n 3 "$MISMATCHED" "$1"
  expect [ "$(grep -c 'same collective call' "$scratch/err")" = 1 ]; expect grep -q "$2" "$scratch/err"
}

calls_that_are_alike_pass() { ATRIUM_CHECK=1 expect_status 0 oshrun -n 3 "$MISMATCHED"; expect grep -q agreed "$scratch/out"; }
another_root_is_refused() { differs root 'a broadcast of 32 bytes from PE 0'; }
another_count_is_refused() { differs count 'an fcollect of 8 bytes'; }
another_size_is_refused() { differs size 'a shmem_malloc of 200 bytes'; }
other_placing_hints_are_refused() { differs hints 'a shmem_malloc_with_hints of 100 bytes with placing hints 16777216'; }
another_routine_is_refused() { differs routine 'on the team.s PE 0 a barrier'; }
another_operation_is_refused() { differs operation 'operation or type differ'; }
