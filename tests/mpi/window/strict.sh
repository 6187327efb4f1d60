#!/bin/bash
# The examples draw no warning: users begin with them, and with flags of their own.
# SPDX-License-Identifier: BSD-3-Clause
# usage: strict.sh FLAVOUR
set -euo pipefail
flavour=$1

for source in "$SOURCE_TREE"/examples/mpi/{ring,heat2d,cg,ensemble}/*.c*; do
  compile=("mpicc.$flavour" -std=gnu11)
  [[ $source == *.c ]] || compile=("mpicxx.$flavour" -std=c++20 -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX)
  command -v "${compile[0]}" >/dev/null || { echo "there is no ${compile[0]}" && exit 77; }
  "${compile[@]}" -Wall -Wextra -Wno-unknown-pragmas -Werror -fsyntax-only -I"$SOURCE_TREE/mpi/window/include" "$source"
done
