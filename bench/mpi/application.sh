#!/usr/bin/env bash
# Runs an application that is linked with an MPI, behind Atrium for MPI or without, and says how long it took. It runs in the folder
# where we are, which gets all inputs, because some write their output beside them.
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: application.sh alone|atrium -n RANKS PROGRAM [ARGUMENT...]
# From the environment: BUILD_TREE; PLACE: node (one) or hosts (two made of namespaces); SHARES=yes: also print how long ranks were in
# which of MPI's routines
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "$0")")
way=$1 ranks=$3 program=$4
shift 3
cp "$here"/applications/* .

# Those of hosts made of namespaces get no variable from here otherwise.
set -- env OMP_NUM_THREADS=1 "ESPRESSO_PSEUDO=${ESPRESSO_PSEUDO:-/usr/share/espresso/pseudo}" "ABI_PSPDIR=${ABI_PSPDIR:-/usr/share/abinit/psp}" "$@"
case $(ldd "$program") in
  *libmpich.so.*) mpi=mpich ;;
  *) mpi=openmpi ;;
esac

if [[ ${SHARES:-} == yes ]]; then
  shares=$BUILD_TREE/bench/libshares.so
  cc -O2 -shared -fPIC -o "$shares" "$here/shares.c" -ldl
  set -- "$1" "LD_PRELOAD=$shares" "${@:2}"
fi
export LAUNCH_BY=$here/timed_launch.sh ATRIUM_REPORT=1 WAY=$way MPI_WAITS=yielding
case $PLACE in
  hosts) exec "$here/../papers/hosts.sh" "$mpi" -n "$ranks" "$@" ;;
esac
exec "$LAUNCH_BY" bash "$here/../../tests/mpi/start.sh" "$mpi" "$ranks" "$@"
