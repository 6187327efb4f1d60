#!/bin/bash
# Starts a program under one of the MPIs, on this machine, with more ranks than cores and as root if need be.
# SPDX-License-Identifier: BSD-3-Clause
# usage: start.sh FLAVOUR RANKS PROGRAM [ARG...]    openmpi, mpich, abi (started by MPICH) and what has a number behind it
# From the environment: MPI_WAITS, how the MPI waits: `awake` keeps the CPU, as it does by itself, for a machine with nothing else to do
# and a CPU for each rank; `yielding` gives it away; nothing: costs as little CPU as can be, for tests, with longer waits
set -u
flavour=$1 ranks=$2
shift 2
launcher=MPIRUN_$flavour  # what the build has found
launcher=${!launcher:-$(command -v "mpirun.$flavour")} || { echo "mpirun.$flavour is not installed"; exit 77; }
[ -x "$launcher" ] || { echo "there is no launcher of $flavour: $launcher"; exit 77; }
# What a sanitizer would say of the MPIs' own leaks is not about us.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
# Beside other tests even two ranks share their processors; without this each wait takes a time slice.
yielding=${BUILD_TREE:-.}/tests/mpi/libyielding.so
[ "${MPI_WAITS:-}" = awake ] || [ ! -e "$yielding" ] || export LD_PRELOAD=$yielding${LD_PRELOAD:+:$LD_PRELOAD}
case $flavour in
  openmpi*)
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    # Loopback only; no attempt of one process to read another's memory, which containers forbid with a message; and no UCX, which
    # complains where there is no network that it knows, and replaces shmat for itself.
    export OMPI_MCA_osc=${OMPI_MCA_osc:-^ucx}
    export OMPI_MCA_btl_vader_single_copy_mechanism=${OMPI_MCA_btl_vader_single_copy_mechanism:-none}
    export OMPI_MCA_btl=${OMPI_MCA_btl:-self,vader} OMPI_MCA_pml=${OMPI_MCA_pml:-ob1}
    [ "${MPI_WAITS:-}" = awake ] || export OMPI_MCA_mpi_yield_when_idle=1
    exec "$launcher" --oversubscribe --bind-to none -n "$ranks" "$@" ;;
  mpich* | abi)
    # It ends in MPI_Init by SIGSEGV, with any program.
    ! grep -qs "^ATRIUM_SANITIZE:[^=]*=thread" "${BUILD_TREE:-.}/CMakeCache.txt" || { echo "MPICH does not start in a process with ThreadSanitizer"; exit 77; }
    exec "$launcher" -n "$ranks" "$@" ;;
  *) echo "start.sh: unknown MPI $flavour"; exit 2 ;;
esac
