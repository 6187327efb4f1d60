#!/bin/bash
# Variables that make no sense, and ranks whose variables differ. usage: settings.sh FLAVOUR PROGRAM
# SPDX-License-Identifier: BSD-3-Clause
set -u
flavour=$1 program=$2

# prints PATTERN TIMES COMMAND...: the program succeeds and says so in as many lines.
prints() {
  local pattern=$1 times=$2 output status
  shift 2
  output=$(timeout 50 bash "$SOURCE_TREE/tests/mpi/start.sh" "$flavour" 3 "$@" 2>&1)
  status=$?
  [ "$(grep -c "$pattern" <<<"$output")" = "$times" ] && [ $status -eq 0 ] && return
  echo "not $times times '$pattern', or status $status:" && echo "$output" && exit 1
}

prints "atrium: ATRIUM_NODE_RANKS=2x is ignored" 1 env ATRIUM_NODE_RANKS=2x "$program"
prints "because: it has to be a whole number from 1" 1 env ATRIUM_NODE_RANKS=0 "$program"
prints "atrium: ATRIUM_WINDOW_PATIENCE=long is ignored" 1 env ATRIUM_WINDOW_PATIENCE=long "$program"
# shellcheck disable=SC2016  # for the shell of each rank
prints "one of 1" 3 sh -c '[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 0 ] && mine=1 || mine=2; ATRIUM_NODE_RANKS=$mine exec "$0"' "$program"
