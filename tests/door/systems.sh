# Systems on which Atrium cannot be built are told so in one message.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2034,SC2154,SC2317  # cases are called by name, with set -e

# configures_with WHAT STATUS OPTION...: what cmake says of a project for which the system counts. It breaks lines.
function configures_with {
  printf '%s\n' 'cmake_minimum_required(VERSION 3.22)' 'project(small C)' "include($SOURCE_TREE/base/systems.cmake)" >"$work/CMakeLists.txt"
  says "$1" "$2" cmake -S "$work" -B "$work/build" "${@:3}"
}

this_system_will_do() {
  configures_with 'Configuring done' 0
}

another_system_is_refused() {
  configures_with 'this is FreeBSD' 1 -DCMAKE_SYSTEM_NAME=FreeBSD
}

# Compiled only: what programs of 32 bits are linked with need not be there.
a_compiler_of_32_bits_is_refused() {
  [[ $(uname -m) == x86_64 ]] || { echo "this compiler has no -m32" && exit 77; }
  configures_with 'Linux with 32 bits' 1 -DCMAKE_C_FLAGS=-m32 -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY
}

another_c_library_is_refused() {
  mkdir "$work/include"
  touch "$work/include/features.h"
  configures_with 'needs the GNU C library' 1 "-DCMAKE_C_FLAGS=-I$work/include"
}
