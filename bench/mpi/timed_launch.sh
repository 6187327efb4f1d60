#!/usr/bin/env bash
# Runs an MPI launcher, behind Atrium for MPI or without, and says how many seconds that took.
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: timed_launch.sh LAUNCHER [ARGUMENT...]     From the environment: BUILD_TREE, WAY (alone or atrium)
set -u
[[ $WAY == alone ]] || set -- "$BUILD_TREE/bin/atrium-mpi" "$@"
TIMEFORMAT='seconds to solution: %R'
time "$@"
