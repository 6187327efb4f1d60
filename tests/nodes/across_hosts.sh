#!/usr/bin/env bash
# Runs an OpenSHMEM program under Open MPI's mpirun across hosts that tests/mpi/hosts/with_hosts.sh makes.
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: across_hosts.sh HOSTS PES PROGRAM [ARGUMENT...]     PES: on each host
# Exit status 77: this machine does not allow it.
set -euo pipefail
hosts_of=$(dirname -- "$(readlink -f -- "$0")")/../mpi/hosts
hosts=$1 pes=$2
source "$hosts_of/find_openmpi.sh"
find_openmpi || { echo "there is no mpirun of Open MPI" && exit 77; }

if [[ -z ${HOST_LIST:-} ]]; then
  "$hosts_of/with_hosts.sh" 2 true 2>/dev/null || { echo "no hosts can be made here: that takes namespaces, ip and tc" && exit 77; }
  exec "$hosts_of/with_hosts.sh" "$hosts" "$0" "$@"
fi
shift 2
source "$hosts_of/openmpi.sh"
place_on_hosts "$pes"
# No variable crosses hosts by itself.
forwarded=()
for name in $(compgen -e | grep -E '^(ATRIUM|SHMEM)_|SAN_OPTIONS$'); do forwarded+=(-x "$name"); done
exec timeout -k 5 100 "$openmpi" ${MAP_BY:+--map-by "$MAP_BY"} "${forwarded[@]}" \
  "${where[@]}" -n $((hosts * pes)) "$@"
