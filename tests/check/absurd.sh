# Sizes beyond all memory: refused by the checks, and without them never taken for nothing to do.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

sizes_beyond_all_memory_are_refused() {
  for way in put iput iget ibput alltoall alltoalls collect fcollect stride wait; do
    expect_status 1 oshrun --check -n 2 "$ABSURD" $way; expect grep -q 'leaves symmetric memory' "$scratch/err"
  done
  expect_status 1 oshrun --check -n 2 "$ABSURD" ibget; expect grep -q 'dst has no meaning' "$scratch/err"
}
without_checks_they_are_not_taken_for_nothing() {
  mistakes_may_happen
  for way in iput iget ibput ibget alltoalls stride; do
    oshrun -n 2 "$ABSURD" $way >"$scratch/out" 2>"$scratch/err"; expect [ $? != 0 ]
  done
}
