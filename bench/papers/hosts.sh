#!/usr/bin/env bash
# Runs an MPI program behind Atrium for MPI across hosts made of namespaces: two of them, eight from 64 ranks on.
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: hosts.sh openmpi -n RANKS PROGRAM [ARGUMENT...]     From the environment: BUILD_TREE, ATRIUM_ALLTOALL
set -euo pipefail
mpi=$1 ranks=$3
shift 3
hosts=$((ranks < 64 ? 2 : 8))
exec "$(dirname -- "$(readlink -f -- "$0")")/../../tests/mpi/hosts/across.sh" "$mpi" "$hosts" $((ranks / hosts)) 1gbit "$@"
