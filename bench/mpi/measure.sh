#!/usr/bin/env bash
# Measures MPI_Alltoall with the library beside the MPI's own, turn by turn in one run: on this machine, and on hosts made of
# namespaces. Prints a table. (`./atrium bench mpi`)
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: measure.sh [--quick] [node|hosts] [openmpi|mpich] [RATE]...      From the environment: BUILD_TREE
# hosts: 4 ranks each, a switch, TCP, RATE per host: 1gbit if not given, or what with_hosts.sh has; none: those of
# `./atrium bench fabric`. The library is free to choose (ATRIUM_ALLTOALL=auto).
set -uo pipefail
here=$(dirname -- "$(readlink -f -- "$0")")
programs=$BUILD_TREE/bench/mpi

rounds=9 ranks_on_node=(2 4 8 16) numbers_of_hosts=(2 4) places=() mpis=() rate=1gbit
for word; do
  case $word in
    --quick) rounds=5 ranks_on_node=(2 8) numbers_of_hosts=(2) ;;
    node | hosts) places+=("$word") ;;
    openmpi | mpich) mpis+=("$word") ;;
    [0-9]*bit | none) rate=$word ;;
    *) sed -n 's/^# \(usage: .*\)/\1/p' "$0" >&2 && exit 2 ;;
  esac
done
[[ ${#places[@]} -gt 0 ]] || places=(node hosts)
[[ ${#mpis[@]} -gt 0 ]] || mpis=(openmpi mpich)

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

on_this_node() {
  local mpi=$1 ranks=$2
  shift 2
  case $mpi in
    openmpi) set -- mpirun.openmpi --oversubscribe --bind-to none -n "$ranks" "$@" ;;
    mpich) set -- mpiexec.hydra -n "$ranks" "$@" ;;
  esac
  timeout -k 5 200 "$BUILD_TREE/bin/atrium-mpi" "$@"
}

# Lines of the program, with what was run before them. Its standard error is shown when it printed no figures.
show() {
  local what=$1 errors lines
  shift
  errors=$(mktemp)
  lines=$("$@" 2>"$errors" | awk -F '\t' -v what="$what" 'NF == 6 { printf "| %s | %d | %.2f | %.2f | %.2f | %.0f | %.0f |\n", what, $1, $2, $3, $4, $5, $6 }')
  if [[ -n $lines ]]; then echo "$lines"; else echo "measure.sh: no figures for $what: $(tail -n 1 "$errors")" >&2; fi
  rm -f "$errors"
}

mkdir -p "$programs"
echo '| MPI | hosts | ranks | bytes per pair | MPI alone [us] | with Atrium [us] | times as fast | packets of a call, MPI alone | with Atrium |'
echo '| --- | --- | --- | --- | --- | --- | --- | --- | --- |'
for mpi in "${mpis[@]}"; do
  "mpicc.$mpi" -O2 "$here/alltoall.c" -o "$programs/alltoall.$mpi" || continue
  for place in "${places[@]}"; do
    if [[ $place == node ]]; then
      for ranks in "${ranks_on_node[@]}"; do
        show "$mpi | 1 | $ranks" on_this_node "$mpi" "$ranks" "$programs/alltoall.$mpi" $rounds 8 256 1024 4096 16384
      done
    else
      for hosts in "${numbers_of_hosts[@]}"; do
        show "$mpi | $hosts | $((4 * hosts))" timeout -k 5 400 "$here/../../tests/mpi/hosts/across.sh" "$mpi" "$hosts" 4 "$rate" \
          "$programs/alltoall.$mpi" $rounds 8 64 256 1024 4096 16384 65536
      done
    fi
  done
done
