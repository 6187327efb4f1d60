# The race checker of another OpenSHMEM library: the same objects, with wrappers of what that library has, and its handles.
# SPDX-License-Identifier: BSD-3-Clause
#
#   atrium_add_other_race_library(oshcc result)
#       OSHCC is the compiler wrapper of the other library. Makes a target, which is only built by who asks for it; RESULT is
#       its name: atrium-race-oshmem for one whose programs load liboshmem.so.
function(atrium_add_other_race_library oshcc result)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/race_for_other)
  file(GLOB tables ${PROJECT_SOURCE_DIR}/api/*.tsv)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${tables} ${PROJECT_SOURCE_DIR}/api/interpose.py
    ${PROJECT_SOURCE_DIR}/api/interpose_other.py ${PROJECT_SOURCE_DIR}/api/model.py)
  execute_process(COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/api/interpose_other.py "${oshcc}" ${folder}
    OUTPUT_VARIABLE library OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  cmake_path(GET library STEM name)  # /usr/lib/liboshmem.so.40: liboshmem
  string(REGEX REPLACE "^lib" "" name ${name})
  message(STATUS "The race checker for ${library}: atrium-race-${name}")

  set(source ${PROJECT_SOURCE_DIR}/interpose/library)
  set(handles ${folder}/handles.o)
  # Weak, as all that tools take from the library: they are preloaded into programs without OpenSHMEM, too.
  add_custom_command(OUTPUT ${handles} COMMAND ${oshcc} -O2 -fPIC -c ${source}/handles.c -o ${handles}
    COMMAND ${CMAKE_OBJCOPY} --weaken ${handles} DEPENDS ${source}/handles.c ${source}/handles.h)
  set_source_files_properties(${folder}/wrappers.cpp PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>)  # what they call is fast
  set(wrappers atrium_interpose_for_${name})
  add_library(${wrappers} OBJECT EXCLUDE_FROM_ALL ${folder}/wrappers.cpp ${source}/other.cpp)
  target_link_libraries(${wrappers} PUBLIC atrium_interpose)
  target_compile_definitions(${wrappers} PRIVATE INTERPOSE_LIBRARY="${name}")
  atrium_add_race_library(atrium-race-${name} FOR ${wrappers} ${handles})
  set_target_properties(atrium-race-${name} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  set(${result} atrium-race-${name} PARENT_SCOPE)
endfunction()
