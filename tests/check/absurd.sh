# Sizes beyond all memory: refused by the checks, and without them never taken for nothing to do.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

sizes_beyond_all_memory_are_refused() {
  for way in put iput iget ibput alltoall alltoalls collect fcollect stride wait; do
    expect_status 1 oshrun --check -n 2 "$ABSURD" $way; expect grep -q 'leaves symmetric memory' "$scratch/err"
  done
  expect_status 1 oshrun --check -n 2 "$ABSURD" ibget; expect grep -q 'dst has no meaning' "$scratch/err"
}
# The usual slip: the end of a range less its beginning, the wrong way round.
negative_sizes_end_the_job_without_checks() {
  for way in put get putmem getmem iput signal; do
    for inline in on off; do
      ATRIUM_INLINE=$inline expect_status 1 oshrun -n 2 "$ABSURD" "$way below 0"
      expect grep -q 'bytes are to be copied, which no memory holds' "$scratch/err"
    done
    expect_status 1 oshrun --check -n 2 "$ABSURD" "$way below 0"; expect grep -q 'leaves symmetric memory' "$scratch/err"
    expect grep -q 'because: 18,446,744,073,709,551,6[0-9]* bytes from 0x' "$scratch/err"
  done
}
without_checks_they_are_not_taken_for_nothing() {
  mistakes_may_happen
  for way in iput iget ibput ibget alltoalls stride; do
    oshrun -n 2 "$ABSURD" $way >"$scratch/out" 2>"$scratch/err"; expect [ $? != 0 ]
  done
}
