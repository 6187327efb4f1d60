#!/usr/bin/env bash
# Runs an MPI program behind Atrium for MPI across hosts made of namespaces: two, from 9 ranks on one for each four,
# eight from 64 on.
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: hosts.sh [--pretended] openmpi|mpich -n RANKS PROGRAM [ARGUMENT...]     From the environment: BUILD_TREE, ATRIUM_ALLTOALL
# --pretended: nodes of this machine in their place, between which messages take no network
set -euo pipefail
tests=$(dirname -- "$(readlink -f -- "$0")")/../../tests/mpi
pretended=
[[ $1 != --pretended ]] || { pretended=yes && shift; }
mpi=$1 ranks=$3
shift 3
export MPI_WAITS=yielding
[[ $ranks -gt $(nproc) ]] || MPI_WAITS=awake  # as the MPI does by itself
hosts=$((ranks >= 64 ? 8 : ranks > 8 ? ranks / 4 : 2))
if [[ $pretended ]]; then
  export ATRIUM_NODE_RANKS=$((ranks / hosts))
  exec "$BUILD_TREE/bin/atrium-mpi" bash "$tests/start.sh" "$mpi" "$ranks" "$@"
fi
across=("$tests/hosts/across.sh" "$mpi" "$hosts" $((ranks / hosts)) 1gbit "$@")
[[ $mpi == mpich ]] || exec "${across[@]}"
# MPICH 4.0 over UCX's TCP often never comes back from MPI_Finalize, and its launcher calls a rank that leaves it alone killed: what counts
# is what the program has said before.
status=0
said=$("${across[@]}") || status=$?
printf '%s\n' "$said"
[[ $said == *"every byte was right"* ]] || exit "$status"
