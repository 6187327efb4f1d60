# Machines whose MPIs have other names, or not all of their parts: wrappers in a folder of their own.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2046  # words of a wrapper

# A project that links a program with each MPI that is found, and says which they are.
function project {
  mkdir -p "$scratch/project" "$scratch/bin"
  cat >"$scratch/project/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.22)
project(probe C CXX)
include("$SOURCE_TREE/mpi/flavours.cmake")
foreach(flavour \${ATRIUM_MPI_LIBRARIES})
  message(STATUS "found \${flavour}: \${ATRIUM_MPICC_\${flavour}}")
endforeach()
file(WRITE \${CMAKE_BINARY_DIR}/probe.c "#include <mpi.h>\nint main(int argc, char** argv) { return MPI_Init(&argc, &argv); }\n")
atrium_add_mpi_program(probe \${CMAKE_BINARY_DIR}/probe.c)
CMAKE
}

# Without the MPIs of the system: PATH has links to all other programs, and our wrappers.
function configure {
  local tools=$scratch/tools
  [ -d "$tools" ] || { mkdir "$tools" && find /usr/bin /bin -maxdepth 1 ! -name '*mpi*' ! -name 'ortec*' -exec ln -sft "$tools" {} +; }
  PATH="$scratch/bin:$tools" "$CMAKE" -S "$scratch/project" -B "$scratch/build" -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF "$@"
}

# wrapper NAME FLAVOUR: a program of that name is that MPI's compiler.
function wrapper {
  local compiler=MPICC_$2
  [ -n "${!compiler:-}" ] || { echo "$2 is not installed"; exit 77; }
  printf '#!/bin/sh\nPATH=/usr/bin:/bin exec %s "$@"\n' "${!compiler}" >"$scratch/bin/$1"
  chmod +x "$scratch/bin/$1"
}

# What the run-time package leaves: the wrapper, but neither headers nor libraries.
function headless_wrapper {
  printf '#!/bin/sh\n[ "$1" != -show ] || { echo "gcc -I/no/such/include -L/no/such/lib -lmpi"; exit; }\nexec gcc "$@" -I/no/such/include -lmpi_of_nowhere\n' >"$scratch/bin/$1"
  chmod +x "$scratch/bin/$1"
}

an_mpi_without_its_headers_is_left_out() {
  project
  headless_wrapper mpicc.openmpi
  headless_wrapper mpicc
  expect_status 0 configure
  expect grep -q "does not use $scratch/bin/mpicc.openmpi: it cannot compile and link" "$scratch/out"
  expect grep -q "is not built for openmpi: no compiler of it was found" "$scratch/out"
  expect [ "$(grep -c '^-- found' "$scratch/out")" = 0 ]
}

an_mpi_without_its_headers_does_not_hide_another() {
  project
  headless_wrapper mpicc.openmpi
  wrapper mpicc openmpi
  expect_status 0 configure
  expect grep -q "^-- found openmpi: $scratch/bin/mpicc$" "$scratch/out"
}

an_mpicc_is_asked_what_it_is() {
  local flavour
  for flavour in $FLAVOURS; do
    project
    wrapper mpicc "$flavour"
    rm -rf "$scratch/build"
    expect_status 0 configure
    expect grep -q "^-- found $flavour: $scratch/bin/mpicc$" "$scratch/out"
    expect [ "$(grep -c '^-- found' "$scratch/out")" = 1 ]
    expect_status 0 env PATH="$scratch/bin:$PATH" "$CMAKE" --build "$scratch/build"
  done
}

# It is no MPI's: programs and libraries of it are not those of the MPI that has it.
the_standard_abi_is_a_flavour_of_its_own() {
  [ -n "${MPICC_abi:-}" ] || { echo "Open MPI 5 and MPICH 5 cannot be had here"; exit 77; }
  project
  wrapper mpicc_abi abi
  expect_status 0 configure
  expect grep -q "^-- found abi: $scratch/bin/mpicc_abi$" "$scratch/out"
  expect [ "$(grep -c '^-- found' "$scratch/out")" = 1 ]
  rm -rf "$scratch/build" "$scratch/bin/mpicc_abi"
  wrapper named abi
  expect_status 0 configure "-DATRIUM_MPICC=$scratch/bin/named"
  expect grep -q "^-- found abi: $scratch/bin/named$" "$scratch/out"
}

mpis_of_modules_can_be_named() {
  project
  wrapper first mpich
  wrapper second openmpi
  expect_status 0 configure "-DATRIUM_MPICC=$scratch/bin/first;$scratch/bin/second"
  expect grep -q "^-- found mpich: $scratch/bin/first$" "$scratch/out"
  expect grep -q "^-- found openmpi: $scratch/bin/second$" "$scratch/out"
}

# With the Fortran of its folder.
an_mpi_of_the_path_can_be_named_without_its_folder() {
  project
  sed -i 's/^include/set(CMAKE_Fortran_COMPILER false)\n&/' "$scratch/project/CMakeLists.txt"
  wrapper mine "${FLAVOURS%% *}"
  expect_status 0 configure -DATRIUM_MPICC=mine
  expect grep -q "^-- found ${FLAVOURS%% *}: $scratch/bin/mine$" "$scratch/out"
  rm -rf "$scratch/build"
  expect_status 1 configure -DATRIUM_MPICC=nobodys
  expect grep -q "there is no nobodys (of ATRIUM_MPICC)" "$scratch/err"
}

a_named_mpi_that_does_not_work_is_an_error() {
  project
  headless_wrapper mine
  expect_status 1 configure "-DATRIUM_MPICC=$scratch/bin/mine"
  expect grep -q "mine (of ATRIUM_MPICC) cannot compile and link" "$scratch/err"
}

an_mpi_that_is_installed_later_is_found() {
  project
  headless_wrapper mpicc
  expect_status 0 configure
  expect [ "$(grep -c '^-- found' "$scratch/out")" = 0 ]
  wrapper mpicc "${FLAVOURS%% *}"
  expect_status 0 configure
  expect [ "$(grep -c '^-- found' "$scratch/out")" = 1 ]
}

# Who has MPI programs alone need not build an OpenSHMEM. For one MPI: the others are compiled in the same way.
atrium_for_mpi_is_built_and_installed_alone() {
  local flavour=${FLAVOURS%% *} file compiler
  compiler=MPICC_$flavour
  ! command -v ccache >/dev/null || export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
  expect_status 0 "$CMAKE" -S "$SOURCE_TREE/mpi" -B "$scratch/build" "-DATRIUM_MPICC=${!compiler}" -DATRIUM_PRECOMPILE=ON -DCMAKE_INSTALL_LIBDIR=lib \
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DCMAKE_C_FLAGS_DEBUG=-O0
  expect_status 0 "$CMAKE" --build "$scratch/build" --parallel 2
  expect_status 0 "$CMAKE" --install "$scratch/build" --prefix "$scratch/prefix"
  for file in lib/libatrium-mpi-$flavour.so lib/libatrium-window-$flavour.so lib/pkgconfig/atrium-window-$flavour.pc; do
    expect [ -e "$scratch/prefix/$file" ]
  done
  expect [ -e "$scratch/prefix/include/atrium/node_window.h" ]
  expect_status 0 "$scratch/prefix/bin/atrium-mpi" --help
  expect [ ! -e "$scratch/prefix/lib/libatrium.so" ]; expect [ ! -e "$scratch/prefix/include/shmem.h" ]
}

# The routines of MPI 4.1 that look at requests, as MPICH 4.2 declares them: without const. Newer headers stay as they are.
requests_compile_as_mpich_4_2_declares_them() {
  local flavour compiler
  mkdir "$scratch/include"
  cat >"$scratch/include/mpi.h" <<'END'
#include_next <mpi.h>
#if MPI_VERSION < 4 || (MPI_VERSION == 4 && MPI_SUBVERSION < 1)
#undef MPI_VERSION
#undef MPI_SUBVERSION
#define MPI_VERSION 4
#define MPI_SUBVERSION 1
extern "C" int PMPI_Request_get_status_all(int, MPI_Request*, int*, MPI_Status*);
extern "C" int PMPI_Request_get_status_any(int, MPI_Request*, int*, int*, MPI_Status*);
extern "C" int PMPI_Request_get_status_some(int, MPI_Request*, int*, int*, MPI_Status*);
extern "C" int MPI_Request_get_status_all(int, MPI_Request*, int*, MPI_Status*);
extern "C" int MPI_Request_get_status_any(int, MPI_Request*, int*, int*, MPI_Status*);
extern "C" int MPI_Request_get_status_some(int, MPI_Request*, int*, int*, MPI_Status*);
#endif
END
  for flavour in $FLAVOURS; do
    compiler=MPICC_$flavour
    expect_status 0 c++ -std=c++20 -fsyntax-only -w -DMPICH_SKIP_MPICXX -DOMPI_SKIP_MPICXX -I"$scratch/include" -I"$SOURCE_TREE"/base -I"$SOURCE_TREE"/mpi \
      $("${!compiler:-mpicc.$flavour}" -show | grep -oE -e '-I[^ ]+') "$SOURCE_TREE/mpi/interpose/requests.cpp"
  done
}
