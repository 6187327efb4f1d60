#!/bin/bash
# The first programs of docs/node-windows.md, letter for letter, and the one of its guide: compiled as the pages say, against an
# installed prefix.
# SPDX-License-Identifier: BSD-3-Clause
# usage: documented.sh LANGUAGE FLAVOUR
set -euo pipefail
language=$1 flavour=$2

skip() { echo "$*" && exit 77; }
[[ -z $SANITIZE ]] || skip "pkg-config knows no sanitizer"
command -v pkg-config >/dev/null || skip "there is no pkg-config"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$CMAKE" --install "$BUILD_TREE/mpi/window" --prefix "$work/prefix" >/dev/null
PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name "atrium-window-$flavour.pc")")
export PKG_CONFIG_PATH
if [[ $language == guide ]]; then
  guide=$SOURCE_TREE/docs/guides/node-windows.md
  command -v "mpicc.$flavour" >/dev/null || skip "there is no mpicc.$flavour"
  awk '$0 == "```" { inside = 0 } inside; $0 == "```c" { inside = 1 }' "$guide" >rod.c
  compile=$(sed -n 's/^    \(mpicc\.openmpi rod\.c .*\)/\1/p' "$guide")
  bash -c "set -e; ${compile//openmpi/$flavour}"
  timeout 60 bash "$SOURCE_TREE/tests/mpi/start.sh" "$flavour" 4 ./rod | grep -qx "the rod is straight"
  exit
fi
read -ra flags <<<"$(pkg-config --cflags --libs "atrium-window-$flavour")"

case $language in
  c) compile=(mpicc."$flavour" first.c) ;;
  cpp) compile=(mpicxx."$flavour" -std=c++20 first.cpp) ;;
  fortran) compile=(mpifort."$flavour" first.f90) ;;
esac
command -v "${compile[0]}" >/dev/null || skip "there is no ${compile[0]}"
awk -v fence="\`\`\`$language" '$0 == "```" { inside = 0 } inside; $0 == fence { inside = 1 }' \
  "$SOURCE_TREE/docs/node-windows.md" >"${compile[-1]}"
"${compile[@]}" -O2 -Wall "${flags[@]}" -o first
said=$(timeout 60 bash "$SOURCE_TREE/tests/mpi/start.sh" "$flavour" 2 ./first)
[[ $said =~ ^[[:space:]]*42 ]] || { echo "expected 42, got: $said" && exit 1; }
