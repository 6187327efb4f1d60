#!/bin/bash
# An example that is told what it does not know says its usage, or what it lacks, and fails.
# SPDX-License-Identifier: BSD-3-Clause
# usage: arguments.sh FLAVOUR FOLDER
set -u
flavour=$1 folder=$2
start=()  # without a launcher: one rank

expect() {
  local words=$1 program=$2 output
  shift 2
  output=$(timeout 30 "${start[@]}" "$folder/${program}_$flavour" "$@" 2>&1) &&
    { echo "$program $*: succeeded"; echo "$output"; exit 1; }
  grep -q -e "$words" <<<"$output" || { echo "$program $*: not said: $words"; echo "$output"; exit 1; }
}

expect usage: ring --elments 7
expect usage: ring --rounds -1
expect usage: cg --size 0
expect usage: heat2d --steps 0
expect usage: heat2d --layout paded
start=(bash "$SOURCE_TREE/tests/mpi/start.sh" "$flavour" 4)
expect "larger --size" heat2d --size 1
start=()
expect usage: ensemble --grid 0
expect "free memory" ensemble --grid 2000
[ ! -x "$folder/ring_fortran_$flavour" ] || expect usage: ring_fortran many
