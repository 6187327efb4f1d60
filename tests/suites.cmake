# How a suite adds its tests. A suite is a ctest label; a test is named suite.sentence[.PEs].
# SPDX-License-Identifier: BSD-3-Clause
#
#   atrium_add_program(name source... [STATIC] [FLAGS flag...])
#       A user's program: compiled and linked as oshcc would. STATIC takes libatrium.a; FLAGS go to compiler and linker.
#   atrium_add_run(suite name program PES n... [ARGS arg...] [ENV VAR=value...] [OSHRUN flag...]
#                  [TIMEOUT seconds] [FAILS] [EXPECT regex])
#       `oshrun -n N program arg...` for each N. FAILS: any non-zero status is what we want. EXPECT: its output matches.
#   atrium_add_script(suite name command... [ENV VAR=value...] [TIMEOUT seconds] [SERIAL] [NAMED])
#       A command that exits 0, 1 or 77 (skipped). It finds SOURCE_TREE and BUILD_TREE in its environment. NAMED: it is run only where
#       ctest has the suite's name as its configuration, as from ./atrium test SUITE: ctest --test-dir build -C rdma -R rdma
#   atrium_add_cases(suite script.sh [ENV VAR=value...] [TIMEOUT seconds] [RUNNER script] [NAMED])
#       Each `sentence() {` of a bash script is a test, run by launch/run_case.sh, which also looks for what is left behind, or RUNNER;
#       what cases share is written `function name {`.
#   atrium_add_unit(suite name source... [LIBRARIES library...])
#       GoogleTest cases against the library's internals, one ctest each.
#   set(atrium_test_wrapper command...)
#       What the folder's runs and scripts are started by: it ends by becoming what its arguments say. For a suite with jobs
#       on several nodes: ${atrium_without_kernel_symbols}.
#   atrium_quick(PROGRAMS target... TESTS test...)
#       These tests of the same folder, which need these programs, belong to `./atrium test quick`.
find_package(GTest QUIET)
if(NOT GTest_FOUND AND CMAKE_CROSSCOMPILING AND EXISTS /usr/src/googletest)  # the distribution's, for this machine's kind
  add_subdirectory(/usr/src/googletest ${PROJECT_BINARY_DIR}/googletest EXCLUDE_FROM_ALL)
  set(GTest_FOUND TRUE)
endif()
if(NOT GTest_FOUND)
  message(STATUS "GoogleTest is missing: unit and contract tests are left out (libgtest-dev)")
endif()
include(GoogleTest)

set(atrium_without_kernel_symbols bash ${CMAKE_CURRENT_SOURCE_DIR}/without_kernel_symbols.sh)
# For chapters of conformance that have all types (tests/conformance/types.h), in a run that tries something else. One of them
# has AND, OR and XOR.
set(atrium_type_of_each_size "TEST_TYPES=schar short uint long longdouble")
set(atrium_environment SOURCE_TREE=${PROJECT_SOURCE_DIR} BUILD_TREE=${PROJECT_BINARY_DIR} "CMAKE_GENERATOR=${CMAKE_GENERATOR}")
# What the sanitizer is asked for; the caller's own options come behind it, and hold. A finding of UBSan is only a line
# unless it ends the program; the status is one that no test expects.
set(atrium_sanitizer "")
if(ATRIUM_SANITIZE MATCHES address)
  list(APPEND atrium_sanitizer ASAN_OPTIONS=path_list_prepend:exitcode=86
    LSAN_OPTIONS=path_list_prepend:suppressions=${CMAKE_CURRENT_SOURCE_DIR}/leaks.supp:print_suppressions=0)
endif()
if(ATRIUM_SANITIZE MATCHES undefined)
  list(APPEND atrium_sanitizer UBSAN_OPTIONS=path_list_prepend:halt_on_error=1:exitcode=86:print_stacktrace=1)
endif()
if(ATRIUM_SANITIZE MATCHES thread)
  list(APPEND atrium_sanitizer
    TSAN_OPTIONS=path_list_prepend:suppressions=${CMAKE_CURRENT_SOURCE_DIR}/threads.supp:print_suppressions=0:exitcode=86)
endif()
# Programs of Open MPI without a common launcher share a folder for their sessions in /tmp. Each removes it if it is the last,
# also while another one, which has just found it, makes its own folder in there. This one stays, because it is never
# empty: Open MPI removes the files that it finds in there, and leaves folders that are not its own.
set(atrium_sessions ${PROJECT_BINARY_DIR}/openmpi_sessions)
file(MAKE_DIRECTORY ${atrium_sessions}/never_empty)
list(APPEND atrium_environment OMPI_MCA_orte_top_session_dir=${atrium_sessions})
# Ubuntu 24.04's: its library asks a PMIx, which its launcher is not.
if("mpich" IN_LIST ATRIUM_MPI_FLAVOURS)
  get_filename_component(folder ${ATRIUM_MPIRUN_mpich} DIRECTORY)
  execute_process(COMMAND ${folder}/mpichversion OUTPUT_VARIABLE version ERROR_QUIET)
  if(version MATCHES "Version: *4\\.2\\.0.*--with-pmix=")
    message(STATUS "The tests with MPICH are left out: this MPICH starts each rank as a job of its own")
    list(REMOVE_ITEM ATRIUM_MPI_FLAVOURS mpich)
    list(REMOVE_ITEM ATRIUM_MPI_FORTRAN mpich)
  endif()
endif()
foreach(flavour ${ATRIUM_MPI_LIBRARIES} ${ATRIUM_MPI_NEWER})
  list(APPEND atrium_environment MPIRUN_${flavour}=${ATRIUM_MPIRUN_${flavour}})
endforeach()

function(atrium_add_program name)
  cmake_parse_arguments(PARSE_ARGV 1 program "STATIC" "" "FLAGS")
  add_executable(${name} ${program_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}
    CXX_VISIBILITY_PRESET default VISIBILITY_INLINES_HIDDEN OFF)
  target_compile_options(${name} PRIVATE ${program_FLAGS})
  target_link_options(${name} PRIVATE ${program_FLAGS})
  if(program_STATIC)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include)
    target_link_libraries(${name} PRIVATE $<TARGET_FILE:atrium_static> stdc++ Threads::Threads ${CMAKE_DL_LIBS})
    add_dependencies(${name} atrium_static)
  else()
    target_link_libraries(${name} PRIVATE atrium)
  endif()
endfunction()

function(atrium_add_run suite name program)
  cmake_parse_arguments(PARSE_ARGV 3 run "FAILS" "TIMEOUT;EXPECT" "PES;ARGS;ENV;OSHRUN")
  if(NOT run_TIMEOUT)
    set(run_TIMEOUT 180)
  endif()
  foreach(pes ${run_PES})
    set(test ${suite}.${name}.${pes})
    add_test(NAME ${test}
      COMMAND ${atrium_test_wrapper} ${PROJECT_BINARY_DIR}/bin/oshrun -n ${pes} ${run_OSHRUN} $<TARGET_FILE:${program}> ${run_ARGS})
    atrium_describe_test(${test} ${suite} ${run_TIMEOUT} "${run_ENV}")
    if(run_FAILS)
      set_tests_properties(${test} PROPERTIES WILL_FAIL TRUE)
    endif()
    if(DEFINED run_EXPECT)
      set_tests_properties(${test} PROPERTIES PASS_REGULAR_EXPRESSION "${run_EXPECT}")
    endif()
  endforeach()
endfunction()

function(atrium_add_script suite name)
  cmake_parse_arguments(PARSE_ARGV 2 script "SERIAL;NAMED" "TIMEOUT" "ENV")
  if(NOT script_TIMEOUT)
    set(script_TIMEOUT 300)
  endif()
  set(configurations "")
  if(script_NAMED)
    set(configurations CONFIGURATIONS ${suite})
  endif()
  add_test(NAME ${suite}.${name} COMMAND ${atrium_test_wrapper} ${script_UNPARSED_ARGUMENTS} ${configurations}
    WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  atrium_describe_test(${suite}.${name} ${suite} ${script_TIMEOUT} "${script_ENV}")
  set_tests_properties(${suite}.${name} PROPERTIES RUN_SERIAL ${script_SERIAL})
endfunction()

function(atrium_add_cases suite script)
  cmake_parse_arguments(PARSE_ARGV 2 cases "NAMED" "TIMEOUT;RUNNER" "ENV")
  if(NOT cases_RUNNER)
    set(cases_RUNNER ${PROJECT_SOURCE_DIR}/tests/launch/run_case.sh)
  endif()
  set(options "")
  if(cases_NAMED)
    set(options NAMED)
  endif()
  if(cases_TIMEOUT)  # a keyword without its value draws a warning from CMake 3.31
    list(APPEND options TIMEOUT ${cases_TIMEOUT})
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${script})
  file(STRINGS ${script} lines REGEX "^[a-z][a-z0-9_]*\\(\\) {")
  foreach(line ${lines})
    string(REGEX MATCH "^[a-z0-9_]+" case ${line})
    atrium_add_script(${suite} ${case} bash ${cases_RUNNER} ${script} ${case}
      ${options} ENV ${cases_ENV})
  endforeach()
endfunction()

function(atrium_add_unit suite name)
  if(NOT GTest_FOUND)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 2 unit "" "" "LIBRARIES")
  add_executable(${name} ${unit_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  target_compile_definitions(${name} PRIVATE ATRIUM_NO_INLINE)
  set(flags $<$<CONFIG:Release>:-O1>)  # the tests' own code: compiled often, run for milliseconds
  target_compile_options(${name} PRIVATE ${flags})
  atrium_precompile(${name} <gtest/gtest.h> FLAGS ${flags})
  target_link_libraries(${name} PRIVATE atrium_objects atrium_static_parts atrium_hwloc atrium_fabric ${unit_LIBRARIES} GTest::gtest_main)
  gtest_discover_tests(${name} TEST_PREFIX ${suite}. NO_PRETTY_VALUES DISCOVERY_TIMEOUT 120
    PROPERTIES LABELS ${suite} TIMEOUT 180)
  if(atrium_sanitizer)  # a list, which PROPERTIES above would take for more than one property
    file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/${name}_sanitizer.cmake
      "set_tests_properties(\${${name}_TESTS} PROPERTIES ENVIRONMENT_MODIFICATION \"${atrium_sanitizer}\")\n")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}_sanitizer.cmake)
  endif()
endfunction()

add_custom_target(quick DEPENDS needed_to_run)

function(atrium_quick)
  cmake_parse_arguments(PARSE_ARGV 0 quick "" "" "PROGRAMS;TESTS")
  add_dependencies(quick ${quick_PROGRAMS})
  set_property(TEST ${quick_TESTS} APPEND PROPERTY LABELS quick)
endfunction()

file(STRINGS ${CMAKE_CURRENT_SOURCE_DIR}/long.txt atrium_long_tests REGEX "^[^#]")
list(REVERSE atrium_long_tests)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/long.txt)

# In suites that have tests in this list, each other test takes the place of so many of them (tools/door/test.sh). A ctest by hand
# counts places, too: --parallel 6 runs two of the others at a time.
file(STRINGS ${CMAKE_CURRENT_SOURCE_DIR}/idle.txt atrium_idle_tests REGEX "^[^#]")
list(TRANSFORM atrium_idle_tests REPLACE "[.].*" "" OUTPUT_VARIABLE atrium_suites_with_idle_tests)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/idle.txt)
set(atrium_idle_tests_in_a_place 3)

# The label, the patience (ten times as much where an emulator runs it), whether it is begun early, how many may run beside it, and the
# surroundings that every test has.
function(atrium_describe_test test suite timeout environment)
  if(CMAKE_CROSSCOMPILING)
    math(EXPR timeout "10 * ${timeout}")
  endif()
  set_tests_properties(${test} PROPERTIES LABELS ${suite} TIMEOUT ${timeout} SKIP_RETURN_CODE 77
    ENVIRONMENT "${atrium_environment};${environment}" ENVIRONMENT_MODIFICATION "${atrium_sanitizer}")
  list(FIND atrium_long_tests ${test} place)
  math(EXPR cost "${place} + 1")
  set_tests_properties(${test} PROPERTIES COST ${cost})
  if(suite IN_LIST atrium_suites_with_idle_tests AND NOT test IN_LIST atrium_idle_tests)
    set_tests_properties(${test} PROPERTIES PROCESSORS ${atrium_idle_tests_in_a_place})
  endif()
endfunction()
