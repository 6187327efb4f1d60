# What a crash leaves on the disk.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

a_core_file_holds_the_blocks_and_not_the_reserved_heap() {
  for segment in memfd posix; do
    SHMEM_SYMMETRIC_SIZE=256M ATRIUM_SEGMENT=$segment expect_status 0 oshrun -n 1 "$DUMPED"
    expect grep -q '^small 1, large 1 to 1, behind 0$' "$scratch/out"
    expect grep -q '^grown 1$' "$scratch/out"
  done
}
