#!/bin/bash
# A /dev/shm that is too small for the windows that are asked for, as containers have it.
# SPDX-License-Identifier: BSD-3-Clause

windows_that_do_not_fit_are_done_without() {
  local flavour as_root=()
  [ "$(id -u)" = 0 ] || as_root=(--user --map-root-user)
  unshare "${as_root[@]}" --mount mount -t tmpfs small /dev/shm 2>/dev/null || { echo "no file system can be mounted here"; exit 77; }
  for flavour in $FLAVOURS; do
    # shellcheck disable=SC2016
    env UCX_TLS=self,sysv OMPI_MCA_btl_vader_backing_directory="$scratch" ATRIUM_ALLTOALL=always ATRIUM_MPI_SEGMENT=window ATRIUM_REPORT=1 \
      timeout -k 5 60 unshare "${as_root[@]}" --mount sh -c 'mount -t tmpfs -o size=4m small /dev/shm && exec bash "$@"' sh \
      "$SOURCE_TREE/tests/mpi/start.sh" "$flavour" 2 "$PROGRAMS/mpi_random_exchanges_$flavour" 7 12 20000 falls-back \
      >"$scratch/out" 2>"$scratch/err"
    expect [ $? = 0 ]
    expect grep -q 'no shared memory for .*MPI_Win_allocate_shared' "$scratch/err"
  done
}
