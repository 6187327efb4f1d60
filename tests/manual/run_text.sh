#!/usr/bin/env bash
# Compiles the programs in a text and runs each with 1 to 4 PEs; a program is a code block with a line "Says:". One with
# <mpi.h> runs under each MPI that there is, behind Atrium for MPI; one with <shnode.h> or node windows is linked with them.
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: run_text.sh TEXT
set -euo pipefail

bin=$BUILD_TREE/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

awk '/^```(c|cpp|fortran)$/ { file = sprintf("%d.%s", ++n, $0 == "```c" ? "c" : $0 == "```cpp" ? "cpp" : "f90"); next }
     /^```$/ { file = "" } file { print > file }' "$1"
# Where shnode is not installed with the rest, its header lies beside its sources.
with_libraries() {
  local source=$1 libraries=()
  ! grep -q '#include <shnode.h>' "$source" || libraries=("-I$SOURCE_TREE/shnode/include" -lshnode)
  "$bin/oshcc" -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror "$source" -o program "${libraries[@]}" -lm -lpthread
}

# with_mpi SOURCE: its ranks are as many as PEs elsewhere.
with_mpi() {
  local flavour compiler ranks flags=("-I$SOURCE_TREE/mpi/window/include" "-L$BUILD_TREE/lib" "-Wl,-rpath,$BUILD_TREE/lib")
  for flavour in openmpi mpich; do
    compiler=$(sed -n "s/^ATRIUM_MPICC_$flavour:[A-Z]*=//p" "$BUILD_TREE/CMakeCache.txt")
    [[ -n $compiler && -e $BUILD_TREE/lib/libatrium-window-$flavour.so ]] || continue
    "$compiler" -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror "$1" -o program "${flags[@]}" "-latrium-window-$flavour" -lm
    for ranks in 1 2 3 4; do
      "$SOURCE_TREE/tests/examples/run_example.sh" "$1" timeout 60 \
        bash "$SOURCE_TREE/tests/mpi/start.sh" "$flavour" "$ranks" env "LD_PRELOAD=$BUILD_TREE/lib/libatrium-mpi-$flavour.so" ./program
    done
  done
}

shopt -s nullglob
programs=0
for source in [0-9]*.*; do
  grep -q 'Says:' "$source" || continue
  programs=$((programs + 1))
  if grep -q "#include <mpi.h>" "$source"; then
    with_mpi "$source"
    continue
  fi
  case $source in
    *.c) with_libraries "$source" ;;
    *.cpp) "$bin/oshc++" -std=c++17 -O2 -Wall -Wextra -Werror "$source" -o program ;;
    *.f90) [[ -x $bin/oshfort ]] || continue && "$bin/oshfort" -O2 "$source" -o program ;;
  esac
  least=$(sed -n 's/.*Needs: *\([0-9]*\) PEs.*/\1/p' "$source")
  for pes in 1 2 3 4; do
    [[ $pes -lt ${least:-1} ]] ||
      "$SOURCE_TREE/tests/examples/run_example.sh" "$source" timeout 60 "$bin/oshrun" -n "$pes" ./program
  done
done
[[ $programs -gt 0 ]] || { echo "$1 has no program" && exit 1; }
