# Where Atrium can be built. Elsewhere one message says so, instead of pages of a compiler's.
# SPDX-License-Identifier: BSD-3-Clause
include(CheckSymbolExists)

if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR CMAKE_SIZEOF_VOID_P LESS 8)
  math(EXPR atrium_bits "8 * ${CMAKE_SIZEOF_VOID_P}")
  message(FATAL_ERROR "Atrium runs on 64-bit Linux alone, and this is ${CMAKE_SYSTEM_NAME} with ${atrium_bits} bits. Please take a container or a "
    "virtual machine with Linux (on Windows: WSL 2)")
endif()
check_symbol_exists(__GLIBC__ features.h atrium_has_glibc)
if(NOT atrium_has_glibc)
  message(FATAL_ERROR "Atrium needs the GNU C library, and this system has another one, as Alpine does. Please take a container of Debian, Ubuntu "
    "or Fedora")
endif()
