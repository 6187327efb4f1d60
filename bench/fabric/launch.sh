#!/usr/bin/env bash
# Runs a program on the hosts of HOST_LIST, as many PEs on each; without hosts on nodes that are pretended here.
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: launch.sh atrium|openmpi LAUNCHER -n PES PROGRAM [ARGUMENT...]
#
# Atrium's programs are started by its oshrun, those of Open MPI by its mpirun; PEs are unbound in both cases.
set -euo pipefail
library=$1 launcher=$2 pes=$4
shift 4
hosts=${HOST_LIST:-}

# What programs that were built elsewhere read (bench/plans/applications.py): no host has it by itself.
told=()
for variable in SHMEM_SYMMETRIC_SIZE HCLIB_ROOT HCLIB_WORKERS; do [[ -z ${!variable:-} ]] || told+=(-x "$variable"); done

if [[ $library == atrium ]]; then
  where=(--nodes 2)
  [[ -z $hosts ]] || where=(--hosts "$hosts" --agent "$HOST_AGENT %h")
  exec "$launcher" -n "$pes" "${where[@]}" "${told[@]}" "$@"
fi
mpirun=$(command -v mpirun.openmpi || command -v mpirun)
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# The hosts share this machine's CPUs, of which no launcher can know: PEs that wait must let the others run. Atrium's find out.
[[ $pes -le $(nproc) ]] || export OMPI_MCA_mpi_yield_when_idle=1
# On one host all but TCP would be shared memory, and no network.
variables=("UCX_TLS=tcp,self")
if [[ -n $hosts ]]; then
  source "$(dirname -- "$(readlink -f -- "$0")")/../../tests/mpi/hosts/openmpi.sh"
  place_on_hosts $((pes / 2))
  variables=("UCX_TLS=tcp,self,posix,sysv,cma" UCX_NET_DEVICES=net0)
else
  where=(--oversubscribe --bind-to none)
fi
options=("${where[@]}" -n "$pes" "${told[@]}")
for variable in "${variables[@]}"; do options+=(-x "$variable"); done
exec "$mpirun" "${options[@]}" --mca osc ucx --mca spml ucx "$@"
