# pkg-config and CMake.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
. "$SOURCE_TREE/tests/install/installed.sh"

function need_pkg_config {
  need pkg-config
  [[ $(pkg-config --version) != 0.* ]] || skip "this pkg-config is no pkgconf: it does not quote blanks, as our prefix has"
  [[ -z $SANITIZE ]] || skip "pkg-config knows no sanitizer"
}

pkg_config_builds_a_program() {
  need_pkg_config
  export PKG_CONFIG_PATH=$PREFIX/lib/pkgconfig
  eval "cc -O2 $(pkg-config --cflags atrium) '$sources/ring.c' -o ring $(pkg-config --libs atrium)"
  runs_on_two_pes ./ring
}

pkg_config_says_what_oshcc_says() {
  need_pkg_config
  export PKG_CONFIG_PATH=$PREFIX/lib/pkgconfig
  local package=() wrapper=()
  eval "package=($(pkg-config --cflags --libs sma)) wrapper=($("$bin/oshcc" --showme:compile; "$bin/oshcc" --showme:link))"
  package=("${package[@]//\/lib\/pkgconfig\/..\/../}")
  [[ "${package[*]}" == "${wrapper[*]}" ]] || { echo "${package[*]} is not ${wrapper[*]}" && exit 1; }
}

# As Nix configures: prefix, and folders that lie anywhere.
folders_that_are_named_absolutely_are_found() {
  need pkg-config
  local to=$work/to
  says "" "$CMAKE" -S "$SOURCE_TREE" -B configured -DBUILD_TESTING=OFF -DATRIUM_MPI=OFF "-DCMAKE_INSTALL_PREFIX=$to/all" \
    "-DCMAKE_INSTALL_BINDIR=$to/all/bin" "-DCMAKE_INSTALL_LIBDIR=$to/all/lib64" "-DCMAKE_INSTALL_INCLUDEDIR=$to/headers/include"
  mkdir -p "$to"/{all/{bin,lib64/pkgconfig},headers/include}
  cp configured/wrappers/installed/oshcc "$to/all/bin/"
  cp configured/packaging/atrium.pc "$to/all/lib64/pkgconfig/"
  [[ $("$to/all/bin/oshcc" --showme:incdirs) -ef $to/headers/include && $("$to/all/bin/oshcc" --showme:libdirs) -ef $to/all/lib64 ]]
  export PKG_CONFIG_PATH=$to/all/lib64/pkgconfig
  [[ $(pkg-config --variable=includedir atrium) -ef $to/headers/include && $(pkg-config --variable=libdir atrium) -ef $to/all/lib64 ]]
}

function builds_with_cmake {
  [[ -z $SANITIZE ]] || skip "the package knows no sanitizer"
  says "" "$CMAKE" -S "$sources/project" -B project "-DPACKAGE=$1" "-DTARGET=$2" "-DCMAKE_PREFIX_PATH=$PREFIX"
  says "" "$CMAKE" --build project
  runs_on_two_pes project/ring
}

cmake_finds_atrium() {
  builds_with_cmake Atrium Atrium::atrium
  rm -rf project
  builds_with_cmake Atrium Atrium::atrium_static
}

cmake_finds_openshmem() { builds_with_cmake OpenSHMEM OpenSHMEM::OpenSHMEM; }

# configure PROJECT PACKAGE VERSION TARGET [CMAKE ARGUMENT...]
function configure {
  rm -rf project
  "$CMAKE" -S "$sources/$1" -B project "-DPACKAGE=$2" "-DVERSION=$3" "-DTARGET=$4" \
    "-DCMAKE_PREFIX_PATH=$PREFIX" "${@:5}"
}

cmake_finds_the_version_of_openshmem_that_a_project_wants() {
  local version
  for version in 1.0 1.4 1.6; do
    says "" configure mixed OpenSHMEM "$version" OpenSHMEM::OpenSHMEM
  done
  for version in 1.7 2.0; do
    ! configure mixed OpenSHMEM "$version" OpenSHMEM::OpenSHMEM >said 2>&1
    says "version: 1.6" cat said
  done
  ! configure mixed OpenSHMEM 1.4 OpenSHMEM::OpenSHMEM -DCOMPONENTS=Pascal >said 2>&1
  says "no component Pascal" cat said
  says "" configure mixed OpenSHMEM 1.4 OpenSHMEM::OpenSHMEM "-DCOMPONENTS=C;CXX"
}

c_cxx_and_openmp_in_one_project() {
  [[ -z $SANITIZE ]] || skip "the package knows no sanitizer"
  local target shared
  for target in Atrium::atrium Atrium::atrium_static; do
    for shared in ON OFF; do
      [[ $target$shared != Atrium::atrium_staticON ]] || continue  # two copies of Atrium in one program
      says "" configure mixed Atrium "" "$target" "-DBUILD_SHARED_LIBS=$shared"
      says "" "$CMAKE" --build project
      runs_on_two_pes project/ring
    done
  done
  [[ $(readelf -d project/ring) != *libatrium* ]]
  # Wholly static, without OpenMP: CMake names its shared library to the linker.
  says "" configure project Atrium "" Atrium::atrium_static -DCMAKE_EXE_LINKER_FLAGS=-static
  says "" "$CMAKE" --build project --target ring
  [[ $(readelf -d project/ring) != *NEEDED* ]]
  runs_on_two_pes project/ring
  says "" configure mixed OpenSHMEM 1.5 OpenSHMEM::OpenSHMEM
  says "" "$CMAKE" --build project
  runs_on_two_pes project/ring
}

cmake_builds_a_fortran_project() {
  [[ -x $bin/oshfort ]] || skip "there is no Fortran compiler"
  [[ -z $SANITIZE ]] || skip "the package knows no sanitizer"
  local more
  for more in "" C; do
    says "" configure fortran Atrium "" Atrium::fortran "-DMORE=$more"
    says "" "$CMAKE" --build project
    says "neighbour's row" "$bin/oshrun" -n 2 project/ring
    says "" configure fortran OpenSHMEM "" OpenSHMEM::Fortran -DCOMPONENTS=Fortran "-DMORE=$more"
    says "" "$CMAKE" --build project
    says "neighbour's row" "$bin/oshrun" -n 2 project/ring
  done
}
