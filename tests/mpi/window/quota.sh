#!/bin/bash
# Two ranks, once under a quota of one CPU and once of two.
# SPDX-License-Identifier: BSD-3-Clause
# usage: quota.sh FLAVOUR PROGRAM
set -u
flavour=$1 program=$2
[ "$(nproc)" -ge 2 ] || { echo "one CPU alone: there is nothing for a quota to cut" && exit 77; }

# says CPUS WORDS
says() {
  local output status
  output=$(timeout 50 bash "$SOURCE_TREE/tests/with_quota.sh" "$1" bash "$SOURCE_TREE/tests/mpi/start.sh" "$flavour" 2 "$program" 2>&1)
  status=$?
  [ $status -ne 77 ] || { echo "$output" && exit 77; }
  grep -q "$2" <<<"$output" && [ $status -eq 0 ] || { echo "$output" && echo "status $status" && exit 1; }
}

says 1 "the ranks are oversubscribed"
says 2 "each rank has a CPU"
