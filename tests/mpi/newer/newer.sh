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
