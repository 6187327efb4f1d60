#!/usr/bin/env bash
# What fetch.sh has got is used, and where it has got nothing the reason is said.
# SPDX-License-Identifier: BSD-3-Clause
# From the environment: NEWER_MPIS, the folder; FOUND, the flavours that the build has, separated by spaces.
set -eu
[ -e "$NEWER_MPIS/complete" ] || {
  reason=$(tail -n 1 "$NEWER_MPIS/log" 2>/dev/null || true)
  echo "${reason:-Open MPI 5 and MPICH 5 cannot be had here: ./atrium setup test has not asked for them}"
  exit 77
}
[ "$FOUND" = "openmpi5 mpich5 abi" ] || { echo "$NEWER_MPIS is complete, and the build has '$FOUND'" && exit 1; }
# All programs of the suite compile with them, also those that CMakeLists.txt does not build for them. gcc 14 refuses what is not declared.
for mpi in openmpi5 mpich5; do
  for program in "$SOURCE_TREE"/tests/mpi/*.c "$SOURCE_TREE"/bench/mpi/*.c; do
    "$NEWER_MPIS/$mpi/bin/mpicc" -fsyntax-only -Werror=implicit-function-declaration -I"$SOURCE_TREE/base" -I"$SOURCE_TREE/mpi" "$program" ||
      { echo "$mpi does not compile $program" && exit 1; }
  done
done
