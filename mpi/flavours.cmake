# The MPIs found on this machine, and how a target is built once for each of them.
# SPDX-License-Identifier: BSD-3-Clause
#
# Searched for are mpicc.openmpi and mpicc.mpich, as Debian calls them, then every mpicc and mpicc_abi in PATH, which is asked
# what it is. Where several MPIs come by environment modules, of which one is loaded at a time, they are named instead:
#   cmake -DATRIUM_MPICC="/opt/openmpi/bin/mpicc;/opt/mpich/bin/mpicc;/opt/mpich/bin/mpicc_abi"
# What cannot compile and link a program (the run-time package without its headers) is left out, with a message.
#
#   ATRIUM_MPI_FLAVOURS            openmpi and mpich, as far as installed; ATRIUM_MPI_FORTRAN those with Fortran bindings
#   ATRIUM_MPI_LIBRARIES           those for which libraries are installed: the same, and abi, the standard ABI of MPI 5
#   ATRIUM_MPI_NEWER               openmpi5 and mpich5, as far as tests/mpi/newer/fetch.sh has them in ATRIUM_NEWER_MPIS: for
#                                  tests alone. Where nobody else has mpicc_abi, that of mpich5 is taken.
#   ATRIUM_MPICC_FLAVOUR, ATRIUM_MPIRUN_FLAVOUR     the compiler and the launcher of each
#   atrium_mpi_FLAVOUR             a target to link with: headers and library of one MPI (C and C++)
#   atrium_mpi_fortran_FLAVOUR     the same with the Fortran bindings and modules
#   atrium_add_mpi_library(name source... [LIBRARIES library...] [FLAVOURS f...])
#       Shared objects lib<name>-FLAVOUR.so, targets <name>_FLAVOUR. $FLAVOUR in a library's name stands for the flavour.
#   atrium_add_mpi_program(name source... [LIBRARIES library...] [FLAVOURS f...])
#       Programs <name>_FLAVOUR. With a .f90 or .f source they are linked with the Fortran bindings.
#   atrium_add_mpi_run(suite name program RANKS n... [ARGS arg...] [ENV VAR=value...] [TIMEOUT seconds] [FLAVOURS f...]
#                      [EXPECT regex])
#       For each flavour and n a test suite.name.FLAVOUR.n: tests/mpi/start.sh FLAVOUR n program arg...
set(ATRIUM_MPI_FLAVOURS "")
set(ATRIUM_MPI_FORTRAN "")
set(ATRIUM_MPI_LIBRARIES "")
set(ATRIUM_MPI_NEWER "")
set(ATRIUM_NEWER_MPIS ${PROJECT_SOURCE_DIR}/build/newer_mpis CACHE PATH "where tests find openmpi5 and mpich5")

# Cuts `cc -D... -I... -L... -l...` as a wrapper compiler prints it into definitions, include folders and everything the linker
# wants.
function(atrium_mpi_import target wrapper)
  execute_process(COMMAND ${wrapper} -show OUTPUT_VARIABLE line OUTPUT_STRIP_TRAILING_WHITESPACE)
  separate_arguments(words UNIX_COMMAND "${line}")
  list(POP_FRONT words)
  set(folders ${words})
  list(FILTER folders INCLUDE REGEX "^-I")
  list(TRANSFORM folders REPLACE "^-I" "")
  set(definitions ${words})
  list(FILTER definitions INCLUDE REGEX "^-DMPI_")
  list(TRANSFORM definitions REPLACE "^-D" "")
  string(REGEX REPLACE "-Wl,-rpath;-Wl," "-Wl,-rpath," words "${words}")
  list(FILTER words INCLUDE REGEX "^-([lL]|Wl,-rpath,)")
  list(REMOVE_ITEM words -Wl,-rpath,${ATRIUM_NEWER_MPIS}/mpich5/lib)  # an installed library must not look there
  foreach(folder ${folders})  # some wrappers name folders that are not there, which CMake refuses
    if(NOT IS_DIRECTORY ${folder})
      list(REMOVE_ITEM folders ${folder})
    endif()
  endforeach()
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} SYSTEM INTERFACE ${folders})
  target_compile_definitions(${target} INTERFACE ${definitions} $<$<COMPILE_LANGUAGE:CXX>:OMPI_SKIP_MPICXX>
    $<$<COMPILE_LANGUAGE:CXX>:MPICH_SKIP_MPICXX>)
  target_link_libraries(${target} INTERFACE ${words})
endfunction()

# What a wrapper compiler makes programs for: openmpi, mpich (and what has its binary interface), abi (whichever MPI has the
# standard's binary interface) or other; empty where it cannot compile and link one.
function(atrium_mpi_kind wrapper result)
  set(probe ${CMAKE_BINARY_DIR}/CMakeFiles/atrium_mpi_probe)
  file(REMOVE ${probe})
  file(WRITE ${probe}.c "#include <mpi.h>
#if defined(MPI_ABI_VERSION)
const char flavour[] = \"atrium: abi\";
#elif defined(OPEN_MPI)
const char flavour[] = \"atrium: openmpi\";
#elif defined(MPICH_VERSION) || defined(MPICH_NAME) || defined(I_MPI_VERSION)
const char flavour[] = \"atrium: mpich\";
#else
const char flavour[] = \"atrium: other\";
#endif
int main(int argc, char** argv) { return MPI_Init(&argc, &argv) + flavour[argc]; }
")
  execute_process(COMMAND ${wrapper} ${probe}.c -o ${probe} RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  set(kind "")
  if(status EQUAL 0 AND EXISTS ${probe})
    file(STRINGS ${probe} kind REGEX "^atrium: (openmpi|mpich|abi|other)$")
    string(REPLACE "atrium: " "" kind "${kind}")
  endif()
  set(${result} "${kind}" PARENT_SCOPE)
endfunction()

# The bindings, if this build's Fortran compiler can read their module: another one may have made it.
function(atrium_mpi_import_fortran flavour folder)
  find_program(ATRIUM_MPIFORT_${flavour} NAMES mpifort.${flavour} mpif90.${flavour})
  if(NOT ATRIUM_MPIFORT_${flavour})
    find_program(ATRIUM_MPIFORT_${flavour} NAMES mpifort mpif90 PATHS ${folder} NO_DEFAULT_PATH)
  endif()
  if(NOT ATRIUM_MPIFORT_${flavour})
    return()
  endif()
  set(probe ${CMAKE_BINARY_DIR}/CMakeFiles/atrium_mpi_probe)
  file(WRITE ${probe}.f90 "program probe\n  use mpi\n  integer :: ierror\n  call MPI_Init(ierror)\nend program\n")
  execute_process(COMMAND ${ATRIUM_MPIFORT_${flavour}} -show OUTPUT_VARIABLE line ERROR_QUIET)
  string(REGEX MATCHALL "-I[^ \n]+" folders "${line}")
  execute_process(COMMAND ${CMAKE_Fortran_COMPILER} ${folders} -c ${probe}.f90 -o ${probe}.o RESULT_VARIABLE status
    OUTPUT_QUIET ERROR_QUIET)
  if(status EQUAL 0)
    atrium_mpi_import(atrium_mpi_fortran_${flavour} ${ATRIUM_MPIFORT_${flavour}})
    set(ATRIUM_MPI_FORTRAN ${ATRIUM_MPI_FORTRAN} ${flavour} PARENT_SCOPE)
  else()
    message(STATUS "Atrium for MPI has no Fortran for ${flavour}: ${CMAKE_Fortran_COMPILER} cannot use its module")
  endif()
endfunction()

# Debian's names first, then every mpicc and mpicc_abi of PATH.
function(atrium_mpi_candidates result)
  set(found "")
  foreach(flavour openmpi mpich)
    find_program(ATRIUM_MPICC_${flavour} mpicc.${flavour})
    if(ATRIUM_MPICC_${flavour})
      list(APPEND found ${ATRIUM_MPICC_${flavour}})
    endif()
  endforeach()
  string(REPLACE ":" ";" folders "$ENV{PATH}")
  foreach(folder ${folders})
    foreach(name mpicc mpicc_abi)
      if(EXISTS ${folder}/${name})
        list(APPEND found ${folder}/${name})
      endif()
    endforeach()
  endforeach()
  if(EXISTS ${ATRIUM_NEWER_MPIS}/mpich5/bin/mpicc_abi)
    list(APPEND found ${ATRIUM_NEWER_MPIS}/mpich5/bin/mpicc_abi)
  endif()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# Those of ATRIUM_MPICC, of which one may also be a name that is in PATH.
function(atrium_mpi_named result)
  set(named "")
  foreach(wrapper ${ATRIUM_MPICC})
    find_program(path ${wrapper} NO_CACHE)
    if(NOT path)
      message(FATAL_ERROR "there is no ${wrapper} (of ATRIUM_MPICC)")
    endif()
    list(APPEND named ${path})
    unset(path)
  endforeach()
  set(${result} ${named} PARENT_SCOPE)
endfunction()

macro(atrium_mpi_take wrapper flavour)
  set(ATRIUM_MPICC_${flavour} ${wrapper} CACHE FILEPATH "the compiler of ${flavour}" FORCE)
  atrium_mpi_import(atrium_mpi_${flavour} ${wrapper})
  get_filename_component(atrium_mpi_folder ${wrapper} DIRECTORY)
  find_program(ATRIUM_MPIRUN_${flavour} mpirun.${flavour})
  if(NOT ATRIUM_MPIRUN_${flavour})
    find_program(ATRIUM_MPIRUN_${flavour} NAMES mpirun mpiexec PATHS ${atrium_mpi_folder} NO_DEFAULT_PATH)
  endif()
endmacro()

set(ATRIUM_MPICC "" CACHE STRING "compilers of MPIs, at most one Open MPI, one MPICH, one of the standard ABI; empty: searched for")
if(NOT CMAKE_CROSSCOMPILING)
  atrium_mpi_named(atrium_mpi_compilers)
  if(NOT atrium_mpi_compilers)
    atrium_mpi_candidates(atrium_mpi_compilers)
  endif()
  foreach(wrapper ${atrium_mpi_compilers})  # one MPI of each kind: the first that is met
    atrium_mpi_kind(${wrapper} kind)
    if(kind MATCHES "^(openmpi|mpich|abi)$" AND NOT kind IN_LIST ATRIUM_MPI_LIBRARIES)
      list(APPEND ATRIUM_MPI_LIBRARIES ${kind})
      atrium_mpi_take(${wrapper} ${kind})
      if(CMAKE_Fortran_COMPILER AND NOT kind STREQUAL abi)
        atrium_mpi_import_fortran(${kind} ${atrium_mpi_folder})
      endif()
    elseif(ATRIUM_MPICC AND NOT kind)
      message(FATAL_ERROR "${wrapper} (of ATRIUM_MPICC) cannot compile and link an MPI program")
    elseif(NOT kind)
      message(STATUS "Atrium for MPI does not use ${wrapper}: it cannot compile and link a program (the -dev package?)")
    endif()
  endforeach()
  set(ATRIUM_MPI_FLAVOURS ${ATRIUM_MPI_LIBRARIES})
  list(REMOVE_ITEM ATRIUM_MPI_FLAVOURS abi)
  foreach(flavour openmpi mpich)
    if(NOT flavour IN_LIST ATRIUM_MPI_FLAVOURS)
      message(STATUS "Atrium for MPI is not built for ${flavour}: no compiler of it was found (-DATRIUM_MPICC=/.../mpicc)")
    endif()
  endforeach()
  if(NOT "abi" IN_LIST ATRIUM_MPI_LIBRARIES)
    message(STATUS "Atrium for MPI is not built for the standard ABI of MPI 5: no compiler of it was found (mpicc_abi)")
  endif()
  foreach(flavour openmpi5 mpich5)
    if(EXISTS ${ATRIUM_NEWER_MPIS}/${flavour}/bin/mpicc)
      list(APPEND ATRIUM_MPI_NEWER ${flavour})
      atrium_mpi_take(${ATRIUM_NEWER_MPIS}/${flavour}/bin/mpicc ${flavour})
    endif()
  endforeach()
endif()

function(atrium_link_mpi target flavour suffix)
  list(TRANSFORM ARGN REPLACE "[$]FLAVOUR" ${flavour} OUTPUT_VARIABLE libraries)
  target_link_libraries(${target} PRIVATE ${libraries} atrium_mpi_${suffix}${flavour})
endfunction()

function(atrium_add_mpi_library name)
  cmake_parse_arguments(PARSE_ARGV 1 library "" "" "LIBRARIES;FLAVOURS")
  if(NOT library_FLAVOURS)
    set(library_FLAVOURS ${ATRIUM_MPI_LIBRARIES})
  endif()
  foreach(flavour ${library_FLAVOURS})
    add_library(${name}_${flavour} SHARED ${library_UNPARSED_ARGUMENTS})
    set_target_properties(${name}_${flavour} PROPERTIES OUTPUT_NAME ${name}-${flavour} C_VISIBILITY_PRESET hidden)
    if(flavour IN_LIST ATRIUM_MPI_NEWER)
      set_target_properties(${name}_${flavour} PROPERTIES EXCLUDE_FROM_ALL TRUE)
    endif()
    atrium_link_mpi(${name}_${flavour} ${flavour} "" ${library_LIBRARIES})
  endforeach()
endfunction()

function(atrium_add_mpi_program name)
  cmake_parse_arguments(PARSE_ARGV 1 program "" "" "LIBRARIES;FLAVOURS")
  set(flavours ${ATRIUM_MPI_FLAVOURS})
  set(suffix "")
  if("${program_UNPARSED_ARGUMENTS}" MATCHES "\\.(f|f90|F90)(;|$)")
    set(flavours ${ATRIUM_MPI_FORTRAN})
    set(suffix fortran_)
  endif()
  if(program_FLAVOURS)
    set(flavours ${program_FLAVOURS})
  endif()
  foreach(flavour ${flavours})
    add_executable(${name}_${flavour} ${program_UNPARSED_ARGUMENTS})
    set_target_properties(${name}_${flavour} PROPERTIES Fortran_MODULE_DIRECTORY
      ${CMAKE_CURRENT_BINARY_DIR}/modules_${name}_${flavour})
    atrium_link_mpi(${name}_${flavour} ${flavour} "${suffix}" ${program_LIBRARIES})
    if(program_FLAVOURS)  # tests, of an MPI that is not where the linker looks by itself
      get_target_property(folders atrium_mpi_${suffix}${flavour} INTERFACE_LINK_LIBRARIES)
      list(FILTER folders INCLUDE REGEX "^-L.")
      list(TRANSFORM folders REPLACE "^-L" "")
      set_target_properties(${name}_${flavour} PROPERTIES BUILD_RPATH "${folders}")
    endif()
  endforeach()
endfunction()

function(atrium_add_mpi_run suite name program)
  cmake_parse_arguments(PARSE_ARGV 3 run "" "TIMEOUT;EXPECT" "RANKS;ARGS;ENV;FLAVOURS")
  if(NOT run_TIMEOUT)
    set(run_TIMEOUT 60)
  endif()
  if(NOT run_FLAVOURS)
    set(run_FLAVOURS ${ATRIUM_MPI_FLAVOURS})
  endif()
  foreach(flavour ${run_FLAVOURS})
    foreach(ranks ${run_RANKS})
      if(NOT TARGET ${program}_${flavour})
        continue()
      endif()
      set(test ${suite}.${name}.${flavour}.${ranks})
      list(TRANSFORM run_ARGS REPLACE "[$]FLAVOUR" ${flavour} OUTPUT_VARIABLE arguments)
      list(TRANSFORM run_ENV REPLACE "[$]FLAVOUR" ${flavour} OUTPUT_VARIABLE environment)
      add_test(NAME ${test} COMMAND bash ${PROJECT_SOURCE_DIR}/tests/mpi/start.sh ${flavour} ${ranks}
        $<TARGET_FILE:${program}_${flavour}> ${arguments})
      atrium_describe_test(${test} ${suite} ${run_TIMEOUT} "${environment}")
      if(DEFINED run_EXPECT)
        set_tests_properties(${test} PROPERTIES PASS_REGULAR_EXPRESSION "${run_EXPECT}")
      endif()
    endforeach()
  endforeach()
endfunction()
