#!/usr/bin/env bash
# Compiles the programs in a text and runs each with 1 to 4 PEs; a program is a code block with a line "Says:".
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
shopt -s nullglob
programs=0
for source in [0-9]*.*; do
  grep -q 'Says:' "$source" || continue
  programs=$((programs + 1))
  case $source in
    *.c) "$bin/oshcc" -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror "$source" -o program -lm -lpthread ;;
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
