#!/usr/bin/env bash
# Tries the binary tarball for AArch64 on another machine: its programs, and what the cross compiler makes with it, run under
# qemu-user. Needs no root and no mirror.
# usage: packaging/try/binary_aarch64.sh [TARBALL [OSHRUN]]   (without, ./atrium package binary aarch64 makes it)
#   OSHRUN: this machine's launcher, which starts emulated PEs; build/bin/oshrun by default
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
sources=$(readlink -f -- "$(dirname -- "${BASH_SOURCE[0]}")/../..")
for tool in qemu-aarch64 aarch64-linux-gnu-gcc aarch64-linux-gnu-g++; do
  command -v "$tool" >/dev/null || { echo "$tool is not installed (qemu-user, g++-aarch64-linux-gnu)" && exit 77; }
done
tarball=${1:-}
if [[ -z $tarball ]]; then
  "$sources/atrium" package binary aarch64 >&2
  tarball=$(find "$sources/dist" -name 'atrium-*-linux-aarch64.tar.xz' | sort -V | tail -n 1)
fi
launcher=$(readlink -f -- "${2:-$sources/build/bin/oshrun}")
tarball=$(readlink -f -- "$tarball")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
emulator=(qemu-aarch64 -L /usr/aarch64-linux-gnu)

step() { printf '\n== %s\n' "$*"; }
# says WORDS COMMAND...: shows what the command prints, which has these words.
says() {
  local said
  said=$("${@:2}" 2>&1) || { echo "failed: ${*:2}: $said" && exit 1; }
  printf '%s\n' "$said"
  [[ $said == *"$1"* ]] || { echo "without '$1': ${*:2}" && exit 1; }
}

tar -C "$work" -xf "$tarball"
mv "$work/$(basename "$tarball" .tar.xz)" "$work/a place"
cd "$work/a place"
step "its programs"
for program in bin/oshrun bin/atrium-info bin/atrium-top; do
  says "AArch64" readelf --file-header "$program" | grep Machine
  says "Atrium" "${emulator[@]}" "$program" --version
done
says "aarch64" "${emulator[@]}" bin/atrium-info | grep -E ' (build|segment memfd|documentation) '
step "what a cross compiler makes with it"
export OSHCC_CC=aarch64-linux-gnu-gcc OSHCXX_CXX=aarch64-linux-gnu-g++
for flags in "" -static; do
  bin/oshcc -O2 "$sources/packaging/debian/tests/ring.c" -o ring $flags
  says "is good" "$launcher" -n 3 "${emulator[@]}" ./ring
done
bin/oshc++ -O2 -std=c++17 share/doc/atrium/examples/17_overloads.cpp -o overloads
says "" "$launcher" -n 2 "${emulator[@]}" ./overloads
echo
echo "the binary tarball for AArch64 is good"
