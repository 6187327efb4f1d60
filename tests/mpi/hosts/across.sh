#!/usr/bin/env bash
# Runs an MPI program with atrium-mpi across hosts that with_hosts.sh makes, over TCP.
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: across.sh openmpi|mpich HOSTS RANKS RATE PROGRAM [ARGUMENT...]     RANKS: on each host; RATE: as with_hosts.sh has it
# From the environment: BUILD_TREE, LAUNCH_BY (runs the launcher in the place of atrium-mpi), MPI_WAITS
# (start.sh). Exit status 77: this machine does not allow it.
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "$0")")
mpi=$1 hosts=$2 ranks=$3 rate=$4

if [[ -z ${HOST_LIST:-} ]]; then
  command -v "mpirun.$mpi" >/dev/null || { echo "mpirun.$mpi is not installed" && exit 77; }
  "$here/with_hosts.sh" 2 1gbit true 2>/dev/null || { echo "no hosts can be made here: that takes namespaces, ip and tc" && exit 77; }
  exec "$here/with_hosts.sh" "$hosts" "$rate" "$0" "$@"
fi
shift 4
launch_by=${LAUNCH_BY:-$BUILD_TREE/bin/atrium-mpi}

case $mpi in
  openmpi)
    source "$here/openmpi.sh"
    place_on_hosts "$ranks"
    export OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,vader,tcp OMPI_MCA_btl_vader_single_copy_mechanism=none
    export OMPI_MCA_btl_tcp_if_include=net0
    # All hosts share this machine's cores, of which Open MPI cannot know.
    [[ ${MPI_WAITS:-} == awake ]] || export OMPI_MCA_mpi_yield_when_idle=1
    "$launch_by" mpirun.openmpi "${where[@]}" -n $((hosts * ranks)) "$@" ;;
  mpich)
    yielding=$BUILD_TREE/tests/mpi/libyielding.so
    [[ -n ${MPI_WAITS:-} || ! -e $yielding ]] || export LD_PRELOAD=$yielding
    "$launch_by" mpiexec.hydra -hosts "$HOST_LIST" -ppn "$ranks" -n $((hosts * ranks)) \
      -launcher ssh -launcher-exec "$HOST_AGENT" "$@" ;;
esac
