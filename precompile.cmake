# Precompiled headers, if ATRIUM_PRECOMPILE is on: what most files include of the C++ library is read once, not for each of
# them, which takes half of the time that a small file takes. Without them all must compile, too (tools/lint/includes).
# SPDX-License-Identifier: BSD-3-Clause
#
#   atrium_precompile(target [header...] [OWN | FLAGS flag...])
#       The target, all of it C++, finds these headers and the usual ones precompiled. Making them takes seconds, so targets
#       that name the same headers share them. Flags change what headers mean (-m...) or what is made of them (-O...), and then
#       gcc 13 and newer refuse the precompiled ones: a target with flags has its OWN, or names those FLAGS that others have, too.
set(atrium_usual_headers <algorithm> <atomic> <cstdint> <cstring> <functional> <map> <memory> <mutex> <optional> <span> <string>
  <string_view> <vector>)

if(ATRIUM_PRECOMPILE)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # The false alarms of -Wno-restrict once more: what was precompiled no longer counts as the system's.
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-stringop-overflow$<SEMICOLON>-Wno-stringop-overread$<SEMICOLON>-Wno-array-bounds>)
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # By their contents, not by the times of files, which differ where a ccache gives them back.
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
  endif()
endif()

# One set of headers for all targets of a kind (gcc wants code for executables and for libraries from headers of the same
# kind), made when the first of them asks.
function(atrium_shared_headers kind headers flags result)
  string(MAKE_C_IDENTIFIER "precompiled_${kind}${headers}${flags}" owner)
  set(${result} ${owner} PARENT_SCOPE)
  if(TARGET ${owner})
    return()
  endif()
  set(nothing ${PROJECT_BINARY_DIR}/precompiled/${owner}.cpp)
  file(CONFIGURE OUTPUT ${nothing} CONTENT "")
  add_library(${owner} OBJECT EXCLUDE_FROM_ALL ${nothing})
  target_precompile_headers(${owner} PRIVATE ${headers} ${atrium_usual_headers})
  target_compile_options(${owner} PRIVATE ${flags})
  if(kind STREQUAL "executable")
    set_target_properties(${owner} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${owner} PRIVATE -fPIE)
  endif()
  if("${headers}" MATCHES "gtest")
    target_link_libraries(${owner} PRIVATE GTest::gtest)
  endif()
endfunction()

function(atrium_precompile target)
  cmake_parse_arguments(PARSE_ARGV 1 precompile "OWN" "" "FLAGS")
  set(headers ${precompile_UNPARSED_ARGUMENTS})
  if(NOT ATRIUM_PRECOMPILE)
    return()
  elseif(precompile_OWN)
    target_precompile_headers(${target} PRIVATE ${headers} ${atrium_usual_headers})
    return()
  endif()
  get_target_property(kind ${target} TYPE)
  string(TOLOWER "${kind}" kind)
  string(REGEX REPLACE "^.*library$" "library" kind ${kind})
  atrium_shared_headers(${kind} "${headers}" "${precompile_FLAGS}" owner)
  target_precompile_headers(${target} REUSE_FROM ${owner})
endfunction()
