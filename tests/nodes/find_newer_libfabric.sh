#!/usr/bin/env bash
# Prints the file of the libfabric that Open MPI 5 brings along (tests/mpi/newer), whose provider for TCP needs no other one above it
# (1.18 and later; Debian 12 has 1.17). Exit status 77, with the reason: cannot be had here.
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: find_newer_libfabric.sh FOLDER     what it installs from PyPI, once, is there
set -euo pipefail
"$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../mpi/newer/fetch.sh" "$1" || exit
file=$(find "$(readlink -f -- "$1")/openmpi5" -name libfabric.so.1)
[[ -n $file ]] || { echo "there is no libfabric beside Open MPI 5" && exit 77; }
echo "$file"
