#!/usr/bin/env bash
# Prints what a cache of a built Atrium is to be called: the version, the system that runs it, and a digest of the files that a
# build reads, of the MPIs that it finds and of the tarball's address. It changes when they do, wherever this tree lies and
# whether it is a clone or a tarball.
# usage: packaging/ci/key.sh [MPI [ADDRESS]]   (MPI: true where Atrium for MPI is built, too)
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
cd "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../.."
mpi=${1:-false} address=${2:-}

# What was built on one distribution may need a C library that another has not.
system() { (. /etc/os-release && echo "$ID${VERSION_ID:-}-$(uname -m)"); }

# Each MPI's compiler says where its headers and libraries are.
mpis() {
  local compiler
  for compiler in mpicc.openmpi mpicc.mpich mpicc mpicc_abi; do
    ! command -v "$compiler" || "$compiler" -show || true
  done
}

files() {
  find . \( -path ./.git -o -path './build*' -o -path ./dist -o -path ./tests -o -path ./bench \) -prune -o -type f -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum
}

version=$(sed -n 's/^project(atrium VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
digest=$({ files && echo "$mpi $address" && if [[ $mpi == true ]]; then mpis 2>/dev/null; fi; } | sha256sum)
echo "$version-$(system)-${digest:0:16}"
