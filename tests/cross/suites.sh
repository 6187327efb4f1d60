#!/usr/bin/env bash
# Whole suites on AArch64: everything is cross-compiled, PEs run under qemu-user, the launcher is this machine's own.
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: tests/cross/suites.sh [BUILD [SUITE...]]        (build, unit contract litmus conformance)
#
# BUILD: a build of this machine, whose oshrun starts the PEs; what is cross-compiled goes to BUILD/aarch64-suites.
# What qemu cannot show: it runs on this machine's memory order, which on x86-64 is stronger than AArch64's, so a missing
# barrier is not seen (tests/models is for that); times; faults by address space limits, which count qemu's own; System V
# segments, since its mremap makes no second mapping of memory (an old size of zero); AddressSanitizer, which tells the size of the
# address space by its stack, that qemu puts at 39 bits, and calls what we map above that wild.
set -euo pipefail
source_tree=$(dirname -- "$(readlink -f -- "$0")")/../..
native=$(readlink -f -- "${1:-$source_tree/build}")
shift || true
[[ $# -gt 0 ]] || set -- unit contract litmus conformance
build=$native/aarch64-suites sysroot=/usr/aarch64-linux-gnu
for tool in qemu-aarch64 aarch64-linux-gnu-gcc aarch64-linux-gnu-g++; do
  command -v $tool >/dev/null || { echo "$tool is not installed (qemu-user, g++-aarch64-linux-gnu)" && exit 77; }
done

(cd "$source_tree" && cmake --preset aarch64 -B "$build" -G Ninja) >"$native/aarch64-suites.log"
targets=()
for suite; do targets+=("tests/$suite/all"); done
[[ " $* " != *" contract "* ]] || targets+=(bench/all)  # whose programs it runs
cmake --build "$build" --target atrium "${targets[@]}" --parallel "$(nproc)" | tail -n 1

# In place of the cross-compiled launcher.
rm -f "$build/bin/oshrun"
printf '#!/bin/sh\nexec "%s/bin/oshrun" --wrap "all:qemu-aarch64 -L %s" "$@"\n' "$native" "$sysroot" >"$build/bin/oshrun"
chmod +x "$build/bin/oshrun"
status=0
for suite; do
  ctest --test-dir "$build/tests/$suite" --output-on-failure --exclude-regex 'sysv|_asan' >"$build/$suite.log" 2>&1 || status=1
  echo "$suite: $(grep 'tests passed' "$build/$suite.log")"
done
exit $status
