#!/usr/bin/env bash
# Starts ranks of one MPI on this machine behind Atrium for MPI.
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: launch.sh openmpi|mpich -n RANKS PROGRAM [ARGUMENT...]     From the environment: BUILD_TREE
set -euo pipefail
mpi=$1 ranks=$3
shift 3
export MPI_WAITS=yielding
[[ $ranks -gt $(nproc) ]] || MPI_WAITS=awake  # as the MPI does by itself
export LD_PRELOAD=$BUILD_TREE/lib/libatrium-mpi-$mpi.so
exec bash "$(dirname -- "$(readlink -f -- "$0")")/../../tests/mpi/start.sh" "$mpi" "$ranks" "$@"
