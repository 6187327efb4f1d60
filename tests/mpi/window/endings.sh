#!/bin/bash
# The messages and the status of programs that end badly: nothing hangs, and somebody says why.
# SPDX-License-Identifier: BSD-3-Clause
# usage: endings.sh CASE FLAVOUR PROGRAM
set -u
case=$1 flavour=$2 program=$3

run() { ATRIUM_WINDOW_PATIENCE=1 timeout 60 bash "$SOURCE_TREE/tests/mpi/start.sh" "$flavour" 2 "$program" "$case" 2>&1; }

output=$(run)
status=$?
# MPICH 4.0 over OFI takes a window that MPI_Finalize finds for an error.
if [[ $flavour == mpich && $output == *"OFI domain close failed"* ]] && mpirun.mpich --version | grep -q 'Version: *4\.0'; then status=0; fi
expect() { grep -q -e "$1" <<<"$output" || { echo "not said: $1"; echo "$output"; exit 1; }; }
reject_status() { [ "$status" -ne "$1" ] || { echo "status $status"; echo "$output"; exit 1; }; }
expect_success() { [ "$status" -eq 0 ] || { echo "status $status"; echo "$output"; exit 1; }; }

case $case in
  leak)
    expect_success
    expect "a node window was not freed: halo"
    expect "while:   MPI_Finalize" ;;
  one_frees)
    expect_success
    expect "cannot free the node window 'halo'"
    expect "has entered MPI_Finalize" ;;
  one_is_busy)
    expect_success
    expect "not all of its 2 ranks came within ATRIUM_WINDOW_PATIENCE" ;;
  fatal)
    reject_status 0
    expect "no such rank in the node window 'halo'"
    expect "try: " ;;
  no_memory)
    reject_status 0
    expect "no memory for what a rank remembers of a node window"
    expect "because: Cannot allocate memory" ;;
esac
