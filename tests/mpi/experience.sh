#!/bin/bash
# ATRIUM_ALLTOALL_FILE: what a run learned is where the next one begins.
# SPDX-License-Identifier: BSD-3-Clause

# run FLAVOUR: twenty exchanges of 4 bytes by two ranks.
function run {
  ATRIUM_REPORT=1 timeout 60 bash "$SOURCE_TREE/tests/mpi/start.sh" "$1" 2 "$PROGRAMS/mpi_alltoall_$1" >"$scratch/out" 2>"$scratch/err"
}

# pretend MPI OWN: the file says of all shapes and sizes which way is the faster one, by words of bits.
function pretend { sed -i -E "s/\t.*/\t$1 $2 $1 $2 $1 $2 $1 $2 $1 $2 $1 $2 $1 $2 $1 $2/" "$ATRIUM_ALLTOALL_FILE"; }

what_a_run_learned_is_where_the_next_one_begins() {
  local flavour
  export ATRIUM_ALLTOALL_FILE=$scratch/experience
  for flavour in $FLAVOURS; do
    rm -f "$ATRIUM_ALLTOALL_FILE"
    run "$flavour"
    expect grep -q 'Atrium .*, 1 nodes of 2' "$ATRIUM_ALLTOALL_FILE"
    expect [ "$(ls "$scratch"/experience*)" = "$ATRIUM_ALLTOALL_FILE" ]
    pretend 0 ffffffffffff
    run "$flavour"
    expect grep -Eq 'alltoall +to 4 B +20 +17 ' "$scratch/err"  # after a burst of the MPI's way
    pretend ffffffffffff 0
    run "$flavour"
    expect grep -Eq 'alltoall +to 4 B +20 +1 ' "$scratch/err"  # with which it has looked for the nodes
  done
}

a_file_that_cannot_be_written_is_told_and_ends_nothing() {
  local flavour
  export ATRIUM_ALLTOALL_FILE=/proc/no/such/folder
  for flavour in $FLAVOURS; do
    run "$flavour"
    expect [ $? = 0 ]
    expect grep -q 'what was learned is not kept' "$scratch/err"
    expect [ "$(grep -c 'try:' "$scratch/err")" = 1 ]
  done
}
