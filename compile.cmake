# How everything here is compiled, in Atrium's own build and in that of a part that is built alone (mpi/).
# SPDX-License-Identifier: BSD-3-Clause
set(ATRIUM_SANITIZE "" CACHE STRING "address, undefined, both (address,undefined) or thread: everything is built instrumented")

include(${CMAKE_CURRENT_LIST_DIR}/base/systems.cmake)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_C_STANDARD 11)

# Of C++20, what came with gcc 11; instead of pages of errors.
include(CheckCXXSourceCompiles)
check_cxx_source_compiles("#include <bit>
int main() { return std::bit_cast<int>(0U); }" atrium_has_cxx20)
if(NOT atrium_has_cxx20)
  message(FATAL_ERROR "Atrium needs the C++20 of gcc 11 or clang 14 and newer; ${CMAKE_CXX_COMPILER} is ${CMAKE_CXX_COMPILER_ID} \
${CMAKE_CXX_COMPILER_VERSION}. Please install one and name it: CC=gcc-13 CXX=g++-13 ./atrium build (RHEL 8: dnf install gcc-toolset-13, \
then scl enable gcc-toolset-13 './atrium build')")
endif()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# Of what runs within programs, whatever the build says: at -O2, which distributions' flags have, gcc leaves loops scalar.
set(atrium_for_speed $<$<NOT:$<CONFIG:Debug>>:-O3>)
add_compile_options(-Wall -Wextra $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-pass-failed>)  # loops that clang does not vectorise
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)  # false alarms on "text" + string: gcc bug 105329
endif()
if(ATRIUM_SANITIZE)
  set(atrium_sanitize_flags -fsanitize=${ATRIUM_SANITIZE} -fno-omit-frame-pointer)
  add_compile_options(${atrium_sanitize_flags})
  add_link_options(${atrium_sanitize_flags})
endif()

# For what runs within or beside programs: a C program must not need a C++ run time, a C++ program must not meet a second one, and not every
# machine has one. It is linked in, and hidden; of its functions, only those that are called: without that, libatrium-mpi is half as large again.
add_library(atrium_own_cxx_runtime OBJECT ${CMAKE_CURRENT_LIST_DIR}/base/older_c_library.c)
target_link_options(atrium_own_cxx_runtime INTERFACE -static-libstdc++ -static-libgcc LINKER:--gc-sections)
