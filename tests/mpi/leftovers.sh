#!/bin/bash
# What is left of shared memory after a program has ended, well or badly. Others' segments would be counted: so it runs alone in its
# suite, and has memory of its own where that is allowed (tests/launch/run_case.sh).
# SPDX-License-Identifier: BSD-3-Clause
here=$SOURCE_TREE/tests/mpi

function ids { ipcs -m | awk '$2 ~ /^[0-9]+$/ { print $2 }' | sort; }
function segments { { ids; find /dev/shm -mindepth 1 2>/dev/null; } | sort; }
# Others' may have gone meanwhile.
function no_new_segments { [ -z "$(comm -13 <(echo "$before") <(segments))" ]; }

nothing_is_left_in_ipcs_or_dev_shm() {
  local flavour segment before
  before=$(segments)
  for flavour in $FLAVOURS; do
    for segment in sysv window; do
      expect_status 0 env ATRIUM_ALLTOALL=always ATRIUM_MPI_SEGMENT=$segment ATRIUM_NODE_RANKS=2 \
        timeout 60 bash "$here/start.sh" "$flavour" 3 "$PROGRAMS/mpi_edges_$flavour" 3
      expect_soon no_new_segments
    done
  done
}

nothing_is_left_after_mpi_abort() {
  local flavour ids_before
  ids_before=$(ids)
  for flavour in $FLAVOURS; do
    env OMPI_MCA_btl_vader_backing_directory="$scratch" ATRIUM_ALLTOALL=always timeout 60 \
      bash "$here/start.sh" "$flavour" 3 "$PROGRAMS/mpi_alltoall_$flavour" abort >"$scratch/out" 2>"$scratch/err"
    expect [ $? = 3 ]
    expect_soon no_new_ids
  done
}

# The ranks kill themselves in the middle of an exchange. The files that Open MPI itself then leaves lie in the test's
# own directory.
nothing_is_left_after_a_kill() {
  local flavour program ids_before
  ids_before=$(ids)
  for flavour in $FLAVOURS; do
    for program in mpi_alltoall mpi_float_sums; do
      env OMPI_MCA_btl_vader_backing_directory="$scratch" ATRIUM_ALLTOALL=always ATRIUM_MPI_SEGMENT=sysv \
        timeout 60 bash "$here/start.sh" "$flavour" 3 "$PROGRAMS/${program}_$flavour" die \
        >"$scratch/out" 2>"$scratch/err"
      expect [ $? != 0 ]
      expect_soon no_new_ids
    done
  done
}

function no_new_ids { [ -z "$(comm -13 <(echo "$ids_before") <(ids))" ]; }
