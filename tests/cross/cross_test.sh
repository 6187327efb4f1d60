#!/usr/bin/env bash
# The cases of CMakeLists.txt; the AArch64 build stays in the build folder so that it is made once.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail

build=$BUILD_TREE/aarch64
sysroot=/usr/aarch64-linux-gnu
program=$build/ring

skip() { echo "$*" && exit 77; }

# needs PROGRAM...: this machine has them all.
needs() {
  local tool
  for tool; do command -v "$tool" >/dev/null || skip "$tool is not installed"; done
}

aarch64_library_builds() {
  needs aarch64-linux-gnu-gcc aarch64-linux-gnu-g++
  # Right is enough here, fast it need not be: -O1. Undefined behaviour ends the programs below; and sanitizers refuse some constant
  # expressions that gcc takes otherwise.
  local flags="-O1 -fsanitize=undefined -fsanitize-undefined-trap-on-error"
  [[ -f $build/CMakeCache.txt ]] || "$CMAKE" -S "$SOURCE_TREE" -B "$build" -DBUILD_TESTING=OFF \
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="$flags" -DCMAKE_C_FLAGS_DEBUG="$flags" \
    -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_FIND_ROOT_PATH="$sysroot" \
    -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY \
    -DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=ONLY -DCMAKE_CXX_COMPILER_LAUNCHER="$LAUNCHER" -DATRIUM_PRECOMPILE="$PRECOMPILE" \
    -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++
  "$CMAKE" --build "$build" --target atrium --parallel 2
  "$build/bin/oshcc" -O2 "$SOURCE_TREE/tests/cross/count.c" -o "$program"
}

aarch64_program_runs_alone() {
  needs aarch64-linux-gnu-gcc qemu-aarch64
  [[ $(qemu-aarch64 -L "$sysroot" "$program") == *"1 PEs counted 1000"* ]]
}

# The launcher is this machine's own; what it starts are emulated processes that share real memory.
aarch64_programs_run_as_two_pes() {
  needs aarch64-linux-gnu-gcc qemu-aarch64
  [[ $("$BUILD_TREE/bin/oshrun" -n 2 qemu-aarch64 -L "$sysroot" "$program") == *"2 PEs counted 2000"* ]]
}

# Vectors of 128 and of 512 bits, and a processor that has none of variable length.
aarch64_copy_kernels_copy() {
  needs aarch64-linux-gnu-g++ qemu-aarch64
  local kernels=$build/kernels
  aarch64-linux-gnu-g++ -std=c++20 -O2 -I"$SOURCE_TREE/src" -o "$kernels" "$SOURCE_TREE/tests/cross/kernels.cpp" \
    "$SOURCE_TREE"/src/copy/{aarch64,portable}.cpp "$SOURCE_TREE/src/arch/processor.cpp"
  [[ $(qemu-aarch64 -cpu max,sve128=on,sve256=off,sve512=off -L "$sysroot" "$kernels") == *"sve works"* ]]
  [[ $(qemu-aarch64 -cpu max,sve512=on -L "$sysroot" "$kernels") == *"sve works"* ]]
  [[ $(qemu-aarch64 -cpu cortex-a57 -L "$sysroot" "$kernels") == "neon works"*"libc works" ]]
}

# AArch64 may take a plain load after an acquiring one that follows it, so both have to be acquiring ones. qemu on x86 never does.
aarch64_reads_the_slots_of_the_race_check_in_order() {
  needs aarch64-linux-gnu-g++
  local code
  code=$(aarch64-linux-gnu-g++ -std=c++20 -O2 -S -I"$SOURCE_TREE" -I"$SOURCE_TREE/base" -o - "$SOURCE_TREE/tests/cross/slot_order.cpp")
  [[ $(grep -cE '^[[:space:]]lda(r|pr)[[:space:]]' <<<"$code") == 2 ]]
}

"$1"
