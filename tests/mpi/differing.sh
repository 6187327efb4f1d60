#!/bin/bash
# Ranks whose environments differ, as launchers make them that carry no variable to other hosts: rank 0's settings hold.
# SPDX-License-Identifier: BSD-3-Clause

# ranks FLAVOUR OF_RANK_0 OF_OTHERS: runs 3 ranks, each with its variables, three times the same exchange in each way.
function ranks {
  # shellcheck disable=SC2016
  timeout 60 bash "$SOURCE_TREE/tests/mpi/start.sh" "$1" 3 env FIRST="$2" OTHERS="$3" sh -c '
    [ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 0 ] && settings=$FIRST || settings=$OTHERS
    exec env $settings "$0"' "$PROGRAMS/mpi_alltoall_$1" >"$scratch/out" 2>"$scratch/err"
}

rank_0_decides_which_way() {
  local flavour
  for flavour in $FLAVOURS; do
    ranks "$flavour" 'ATRIUM_ALLTOALL=always ATRIUM_REPORT=1' ATRIUM_ALLTOALL=never
    expect [ $? = 0 ]
    expect grep -Eq 'MPI_COMM_WORLD +3 +1 alltoall +to 4 B +20 +20 ' "$scratch/err"
    expect grep -q '2 ranks of a communicator have other ATRIUM_ settings' "$scratch/err"
    ranks "$flavour" ATRIUM_ALLTOALL=never 'ATRIUM_ALLTOALL=always ATRIUM_REPORT=1'
    expect [ $? = 0 ]
  done
}

rank_0_decides_about_nodes_leaders_and_memory() {
  local flavour
  for flavour in $FLAVOURS; do
    ranks "$flavour" 'ATRIUM_ALLTOALL=always ATRIUM_NODE_RANKS=2 ATRIUM_REPORT=1' \
      'ATRIUM_MPI_LEADERS=2 ATRIUM_MPI_SEGMENT=window ATRIUM_ALLTOALL_LIMIT=1'
    expect [ $? = 0 ]
    expect grep -Eq 'MPI_COMM_WORLD +3 +2 alltoall +to 4 B +20 +20 +720 +80 +40 own' "$scratch/err"
    ranks "$flavour" 'ATRIUM_ALLTOALL=always ATRIUM_MPI_BUFFER=1 ATRIUM_REPORT=1' ATRIUM_ALLTOALL=always
    expect [ $? = 0 ]
    expect grep -Eq ' 20 +0 +720 ' "$scratch/err"
  done
}
