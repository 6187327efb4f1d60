# Handles of teams and contexts that are no more, and waits before there is a job: a message, not a fault or a hang.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

# refused WAY WORDS: with ATRIUM_CHECK=1.
function refused { ATRIUM_CHECK=1 expect_status 1 oshrun -n 2 "$HANDLES" "$1"; expect grep -q "$2" "$scratch/err"; expect grep -q 'try:' "$scratch/err"; }

handles_that_live_are_accepted() { ATRIUM_CHECK=1 expect_status 0 oshrun -n 2 "$HANDLES"; }
a_team_that_was_destroyed_is_refused() { refused team_twice 'the team is not valid'; expect grep -q shmem_team_destroy "$scratch/err"; }
a_team_that_never_was_is_refused() { refused team_garbage 'the team is not valid'; refused team_sync_garbage 'the team is not valid'; }
splits_that_differ_are_refused() {
  refused split_differs 'with start 0, stride 1, size 2.*, on .* PE 0 a strided split with start 0, stride 1, size 1'
  refused split_2d_differs 'dimensions with an x range of 2.*, on .* PE 0 a split in two dimensions with an x range of 1'
  refused split_is_a_barrier 'it is a barrier.*, on .* PE 0 a strided split with start 0, stride 1, size -5'
  refused destroyed_by_one 'it is a sync.*, on .* PE 0 a shmem_team_destroy'
}
calls_that_differ_before_a_team_is_destroyed_are_refused_always() {
  ATRIUM_CHECK=0 expect_status 1 oshrun -n 2 "$HANDLES" destroyed_or_split; expect grep -q 'a shmem_team_destroy' "$scratch/err"
  expect grep -q 'here it is a .* (.*handles.*), on the team.* PE . a .* (.*handles.*)' "$scratch/err"
  expect grep -q 'a split in two dimensions' "$scratch/err"
  ATRIUM_CHECK=0 expect_status 1 oshrun -n 2 "$HANDLES" broadcast_by_one; expect grep -q 'a shmem_team_destroy.*, after 1 collective call' "$scratch/err"
}
# Which calls they were is in a block that its member would free: it waits for who reads in it.
calls_before_a_team_is_destroyed_are_told_where_arguments_are_checked() {
  local i
  for i in 1 2 3 4 5; do
    expect_status 1 oshrun -n 3 "$HANDLES_UNOPTIMISED" broadcasts_in_another_order
    expect grep -Eq 'here one was a broadcast of (8|16) bytes.*, on .* PE [0-2] a broadcast of (8|16) bytes' "$scratch/err"
  done
}
# Inlined code reads a context before anybody can look at it: the message says how it becomes a call.
a_context_that_never_was_is_refused_where_nothing_is_inlined() {
  mistakes_may_happen
  ATRIUM_CHECK=1 expect_status 139 oshrun -n 2 "$HANDLES" context_garbage; expect grep -q 'ATRIUM_NO_INLINE' "$scratch/err"
  ATRIUM_CHECK=1 expect_status 1 oshrun -n 2 "$HANDLES_CALLED" context_garbage; expect grep -q 'the context is not valid' "$scratch/err"
}
a_context_that_was_destroyed_is_refused() {
  refused context_put 'the context is not valid'; refused context_get 'the context is not valid'; refused context_quiet 'the context is not valid'
}
a_context_of_a_team_that_was_destroyed_is_refused() { refused context_of_team 'the context is not valid'; }
what_is_there_as_long_as_the_job_cannot_be_destroyed() {
  local way
  refused world 'SHMEM_TEAM_WORLD cannot be destroyed'; refused shared 'SHMEM_TEAM_SHARED cannot'; refused default 'SHMEM_CTX_DEFAULT cannot'
  expect grep -q 'shmem_ctx_destroy' "$scratch/err"
  for way in world shared default; do ATRIUM_CHECK=0 expect_status 0 oshrun -n 2 "$HANDLES" $way; done
}
a_context_after_finalize_is_refused() { refused late_context 'not initialised\|not valid'; }
a_wait_before_init_is_refused() {
  local way
  for way in early_wait early_wait_any; do expect_status 1 oshrun -n 2 "$HANDLES" $way; expect grep -q 'because: the call came before shmem_init$' "$scratch/err"; done
}
a_split_outside_of_a_job_is_refused() {
  local way
  for way in early_split early_split_2d; do expect_status 1 oshrun -n 2 "$HANDLES" $way; expect grep -q 'because: the call came before shmem_init$' "$scratch/err"; done
  for way in late_split late_split_2d; do refused $way 'because: the call came after the last shmem_finalize$'; done
}
a_wait_after_finalize_is_told_from_one_before_init() { refused late_wait 'because: the call came after the last shmem_finalize$'; }
