#!/bin/bash
# A /dev/shm, or a memory limit, that is too small for what is asked for, as containers have them.
# SPDX-License-Identifier: BSD-3-Clause

# in_small_files FLAVOUR MODE: random exchanges with copies in windows, ATRIUM_ALLTOALL=MODE.
function in_small_files {
  # shellcheck disable=SC2016
  env UCX_TLS=self,sysv OMPI_MCA_btl_vader_backing_directory="$scratch" ATRIUM_ALLTOALL="$2" ATRIUM_MPI_SEGMENT=window ATRIUM_MPI_READ=never ATRIUM_REPORT=1 \
    timeout -k 5 60 unshare "${as_root[@]}" --mount sh -c 'mount -t tmpfs -o size=4m small /dev/shm && exec bash "$@"' sh \
    "$SOURCE_TREE/tests/mpi/start.sh" "$1" 2 "$PROGRAMS/mpi_random_exchanges_$1" 7 12 20000 falls-back \
    >"$scratch/out" 2>"$scratch/err"
}
windows_that_do_not_fit_are_done_without() {
  local flavour tried='' as_root=()
  [ "$(id -u)" = 0 ] || as_root=(--user --map-root-user)
  unshare "${as_root[@]}" --mount mount -t tmpfs small /dev/shm 2>/dev/null || { echo "no file system can be mounted here"; exit 77; }
  for flavour in $FLAVOURS; do
    if ! in_small_files "$flavour" never; then  # MPICH 4.0 over OFI fills them itself
      expect grep -q 'terminated with signal 7' "$scratch/out" "$scratch/err"
      continue
    fi
    tried+=$flavour
    in_small_files "$flavour" always; expect [ $? = 0 ]
    expect grep -q 'no shared memory for .*MPI_Win_allocate_shared' "$scratch/err"
  done
  expect [ -n "$tried" ]
}

# As a container's limit looks: less than a segment of two ranks.
memory_beyond_the_limit_of_a_container_is_done_without() {
  local flavour segment groups=$scratch/groups
  unshare -rm mount --bind "$scratch" /sys/fs/cgroup 2>/dev/null || { echo "no mounts of one's own here"; exit 77; }
  mkdir "$groups"
  echo 40000 >"$groups/memory.max"
  for flavour in $FLAVOURS; do
    for segment in sysv window; do
      # shellcheck disable=SC2016
      ATRIUM_ALLTOALL=always ATRIUM_MPI_SEGMENT=$segment ATRIUM_REPORT=1 timeout 60 unshare -rm \
        bash -c 'mount --bind "$0" /sys/fs/cgroup && exec bash "$@"' "$groups" \
        "$SOURCE_TREE/tests/mpi/start.sh" "$flavour" 2 "$PROGRAMS/mpi_alltoall_$flavour" >"$scratch/out" 2>"$scratch/err"
      expect [ $? = 0 ]
      expect grep -q 'no shared memory for 1 communicators (there is not so much memory left)' "$scratch/err"
    done
  done
}
