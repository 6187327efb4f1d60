#!/usr/bin/env bash
# The cases of CMakeLists.txt. From the environment: PREFIX, where the installed tree lies, and SANITIZE.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail

sources=$SOURCE_TREE/tests/install
bin=$PREFIX/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

skip() { echo "$*" && exit 77; }

needs_python() { command -v python3 >/dev/null || skip "python3 is not installed"; }

# expect WHAT COMMAND...: the command's output contains WHAT.
expect() {
  local said
  said=$("${@:2}" 2>&1) || { echo "failed: ${*:2}: $said" && exit 1; }
  [[ $said == *"$1"* ]] || { echo "expected '$1' from ${*:2}, got: $said" && exit 1; }
}

runs_on_two_pes() {
  local said
  said=$(timeout 60 "$bin/oshrun" -n 2 "$@")
  [[ $(grep -c 'is good' <<<"$said") -eq 2 ]] || { echo "$* said: $said" && exit 1; }
}

installs_and_moves() {
  rm -rf "$PREFIX" "$PREFIX.first"
  "$CMAKE" --install "$BUILD_TREE" --prefix "$PREFIX.first" >/dev/null
  mv "$PREFIX.first" "$PREFIX"
}

prefix_is_complete() {
  local file
  for file in bin/{oshcc,oshc++,oshcxx,oshCC,shmemcc,shmemc++,shmemcxx,shmemCC,oshrun,atrium-info} include/{shmem.h,shmemx.h,shnode.h,pshmem.h,mpp/{shmem,shmemx}.h} \
    lib/{libatrium.so,libatrium.a,libshnode.a,libsma.so,libsma.a,pkgconfig/atrium.pc,pkgconfig/sma.pc} \
    lib/cmake/Atrium/AtriumConfig.cmake share/man/man1/{oshcc,oshrun,atrium-info}.1 share/man/man7/atrium.7 share/man/man3/shnode.3 \
    share/doc/atrium/{README.md,examples/{README.md,01_hello.c,heat/heat.h,python/heat.py}}; do
    [[ -e $PREFIX/$file ]] || { echo "missing: $file" && missing=1; }
  done
  [[ -z ${missing:-} ]]
}

oshcc_builds_a_c_program() {
  "$bin/oshcc" -Wall -O2 "$sources/ring.c" -o ring
  runs_on_two_pes ./ring
}

the_name_shnode_links() {
  "$bin/oshcc" -Wall -O2 "$sources/../../examples/shnode/alltoall.c" -o alltoall -lshnode
  [[ $(timeout 60 "$bin/oshrun" -n 2 ./alltoall) == *'is right'* ]]
}

oshcc_compiles_and_links_in_two_steps() {
  "$bin/oshcc" -O2 -c "$sources/ring.c" -o ring.o
  "$bin/oshcc" ring.o -o ring
  runs_on_two_pes ./ring
}

oshcc_keeps_arguments_with_spaces() {
  mkdir "a folder"
  echo "#include GREETING_FILE" >"a folder/it's.c"
  echo 'int main() { return GREETING[1] != 0x20; }' >"a folder/a greeting.h"
  "$bin/oshcc" -DGREETING='"a b"' -DGREETING_FILE='"a greeting.h"' "a folder/it's.c" -o "a program"
  "./a program"
  expect "'a folder/it'\\''s.c'" "$bin/oshcc" --showme "a folder/it's.c"
  eval "$("$bin/oshcc" -show "a folder/it's.c" -DGREETING='"a b"' -DGREETING_FILE='"a greeting.h"' -o shown)"
  ./shown
}

oshcc_answers_without_linking() {
  expect "" "$bin/oshcc" --version
  expect "" "$bin/oshcc" -v
  expect "" "$bin/oshc++" -dumpmachine
  expect "usage: oshcc" "$bin/oshcc" --help
}

oshcc_shows_its_parts() {
  expect "-I" "$bin/oshcc" --showme:compile
  expect "-latrium" "$bin/oshcc" --showme:link
  expect "$PREFIX/include" "$bin/oshcc" -showme:incdirs
  expect "$PREFIX/lib" "$bin/oshcc" --showme:libdirs
  expect "atrium" "$bin/oshc++" --showme:libs
  expect "Atrium" "$bin/oshc++" --showme:version
  [[ $("$bin/oshcc" -show -c a.c) != *-latrium* ]]
  ! "$bin/oshcc" --showme:nonsense 2>/dev/null
}

oshcc_takes_another_compiler() {
  expect "another-cc " env OSHCC_CC=another-cc "$bin/oshcc" --showme a.c
  expect "another-c++ " env OSHCXX_CXX=another-c++ "$bin/oshc++" --showme a.c
  command -v clang >/dev/null || skip "clang is not installed"
  [[ -z $SANITIZE ]] || skip "the sanitizers of two compilers do not mix"
  OSHCC_CC=clang "$bin/oshcc" -O2 "$sources/ring.c" -o ring
  runs_on_two_pes ./ring
}

oshcc_no_inline_calls_the_library() {
  "$bin/oshcc" -O2 --no-inline "$sources/ring.c" -o ring
  [[ $(nm -u ring) == *" shmem_long_p"* ]]
  runs_on_two_pes ./ring
}

oshcc_static_needs_no_shared_library() {
  [[ -z $SANITIZE ]] || skip "a sanitized program cannot be static"
  "$bin/oshcc" -O2 -static "$sources/ring.c" -o ring
  [[ $(readelf -d ring) != *NEEDED* ]]
  runs_on_two_pes ./ring
}

oshfort_builds_fortran_programs() {
  [[ -x $bin/oshfort ]] || skip "there is no Fortran compiler"
  local example
  for example in 21_fortran_ring 22_fortran_pi 23_fortran_classic; do
    "$bin/oshfort" -O2 "$sources/../../examples/$example.f90" -o "$example"
    timeout 60 "$bin/oshrun" -n 2 "./$example"
  done
  expect "$PREFIX/include/atrium/fortran/shmem_f08.f90" "$bin/shmemfort" --showme:modules
  [[ -e $PREFIX/include/shmem.fh && -e $PREFIX/include/mpp/shmem.fh ]]
}

every_name_of_the_cxx_wrapper_builds_a_cxx_program() {
  local wrapper
  cp "$sources/ring.c" ring.cpp
  for wrapper in oshc++ oshcxx oshCC shmemc++ shmemcxx shmemCC; do
    "$bin/$wrapper" -O2 ring.cpp -o ring
    runs_on_two_pes ./ring
  done
}

a_link_to_oshcc_finds_the_prefix() {
  ln -s "$bin/oshcc" shmemcc
  expect "$PREFIX/include" ./shmemcc --showme:incdirs
  PATH=$bin:$PATH expect "$PREFIX/include" oshcc --showme:incdirs
}

pkg_config_builds_a_program() {
  command -v pkg-config >/dev/null || skip "pkg-config is not installed"
  [[ -z $SANITIZE ]] || skip "pkg-config knows no sanitizer"
  export PKG_CONFIG_PATH=$PREFIX/lib/pkgconfig
  eval "cc -O2 $(pkg-config --cflags atrium) '$sources/ring.c' -o ring $(pkg-config --libs atrium)"
  runs_on_two_pes ./ring
}

pkg_config_says_what_oshcc_says() {
  command -v pkg-config >/dev/null || skip "pkg-config is not installed"
  [[ -z $SANITIZE ]] || skip "pkg-config knows no sanitizer"
  export PKG_CONFIG_PATH=$PREFIX/lib/pkgconfig
  local package=() wrapper=()
  eval "package=($(pkg-config --cflags --libs sma)) wrapper=($("$bin/oshcc" --showme:compile; "$bin/oshcc" --showme:link))"
  package=("${package[@]//\/lib\/pkgconfig\/..\/../}")
  [[ "${package[*]}" == "${wrapper[*]}" ]] || { echo "${package[*]} is not ${wrapper[*]}" && exit 1; }
}

the_name_sma_links() {
  [[ -z $SANITIZE ]] || skip "plain cc knows no sanitizer"
  cc "-I$PREFIX/include" "$sources/ring.c" -o ring "-L$PREFIX/lib" "-Wl,-rpath,$PREFIX/lib" -lsma
  runs_on_two_pes ./ring
}

# As in a wheel, which holds no links.
the_linker_reads_scripts_in_place_of_links() {
  [[ -z $SANITIZE ]] || skip "plain cc knows no sanitizer, and a sanitized program cannot be static"
  mkdir -p plain/lib
  cp -a "$PREFIX/bin" "$PREFIX/include" plain/
  cp -L "$PREFIX"/lib/libatrium.{so.1,a} plain/lib/
  ln -s libatrium.so.1 plain/lib/libatrium.so
  ln -s libatrium.so plain/lib/libsma.so
  ln -s libatrium.a plain/lib/libsma.a
  "$CMAKE" "-Dlibraries=$work/plain/lib" -P "$SOURCE_TREE/packaging/links_to_scripts.cmake"
  [[ -z $(find plain/lib -type l) ]]
  bin=$work/plain/bin
  oshcc_builds_a_c_program
  [[ $(ldd ring) == *"$work/plain/lib/libatrium.so.1"* ]]
  PREFIX=$work/plain the_name_sma_links
  oshcc_static_needs_no_shared_library
}

builds_with_cmake() {
  [[ -z $SANITIZE ]] || skip "the package knows no sanitizer"
  expect "" "$CMAKE" -S "$sources/project" -B project "-DPACKAGE=$1" "-DTARGET=$2" "-DCMAKE_PREFIX_PATH=$PREFIX"
  expect "" "$CMAKE" --build project
  runs_on_two_pes project/ring
}

cmake_finds_atrium() {
  builds_with_cmake Atrium Atrium::atrium
  rm -rf project
  builds_with_cmake Atrium Atrium::atrium_static
}

cmake_finds_openshmem() { builds_with_cmake OpenSHMEM OpenSHMEM::OpenSHMEM; }

# configure PROJECT PACKAGE VERSION TARGET [CMAKE ARGUMENT...]
configure() {
  rm -rf project
  "$CMAKE" -S "$sources/$1" -B project "-DPACKAGE=$2" "-DVERSION=$3" "-DTARGET=$4" \
    "-DCMAKE_PREFIX_PATH=$PREFIX" "${@:5}"
}

cmake_finds_the_version_of_openshmem_that_a_project_wants() {
  local version
  for version in 1.0 1.4 1.6; do
    expect "" configure mixed OpenSHMEM "$version" OpenSHMEM::OpenSHMEM
  done
  for version in 1.7 2.0; do
    ! configure mixed OpenSHMEM "$version" OpenSHMEM::OpenSHMEM >said 2>&1
    expect "version: 1.6" cat said
  done
  ! configure mixed OpenSHMEM 1.4 OpenSHMEM::OpenSHMEM -DCOMPONENTS=Pascal >said 2>&1
  expect "no component Pascal" cat said
  expect "" configure mixed OpenSHMEM 1.4 OpenSHMEM::OpenSHMEM "-DCOMPONENTS=C;CXX"
}

c_cxx_and_openmp_in_one_project() {
  [[ -z $SANITIZE ]] || skip "the package knows no sanitizer"
  local target shared
  for target in Atrium::atrium Atrium::atrium_static; do
    for shared in ON OFF; do
      [[ $target$shared != Atrium::atrium_staticON ]] || continue  # two copies of Atrium in one program
      expect "" configure mixed Atrium "" "$target" "-DBUILD_SHARED_LIBS=$shared"
      expect "" "$CMAKE" --build project
      runs_on_two_pes project/ring
    done
  done
  [[ $(readelf -d project/ring) != *libatrium* ]]
  # Wholly static, without OpenMP: CMake names its shared library to the linker.
  expect "" configure project Atrium "" Atrium::atrium_static -DCMAKE_EXE_LINKER_FLAGS=-static
  expect "" "$CMAKE" --build project --target ring
  [[ $(readelf -d project/ring) != *NEEDED* ]]
  runs_on_two_pes project/ring
  expect "" configure mixed OpenSHMEM 1.5 OpenSHMEM::OpenSHMEM
  expect "" "$CMAKE" --build project
  runs_on_two_pes project/ring
}

cmake_builds_a_fortran_project() {
  [[ -x $bin/oshfort ]] || skip "there is no Fortran compiler"
  [[ -z $SANITIZE ]] || skip "the package knows no sanitizer"
  expect "" configure fortran Atrium "" Atrium::fortran
  expect "" "$CMAKE" --build project
  expect "neighbour's row" "$bin/oshrun" -n 2 project/ring
  expect "" configure fortran OpenSHMEM "" OpenSHMEM::Fortran -DCOMPONENTS=Fortran
  expect "" "$CMAKE" --build project
  expect "neighbour's row" "$bin/oshrun" -n 2 project/ring
}

the_library_brings_its_cxx_run_time_hidden() {
  [[ -z $SANITIZE ]] || skip "sanitizers bring a run time of their own"
  ! readelf -d "$PREFIX/lib/libatrium.so" | grep -E 'NEEDED.*(stdc|gcc)'
}

the_library_exports_nothing_but_its_interface() {
  ! nm -D --defined-only "$PREFIX/lib/libatrium.so" | awk '{ print $NF }' | sed 's/@.*//' |
    grep -vE '^(p?shmemx?_|p?(start_pes|shmalloc|shfree|shrealloc|shmemalign|_my_pe|_num_pes)$|SHMEM_|atrium_|ATRIUM_1$)'
}

the_page_has_every_variable() {
  local name missing=
  for name in $("$bin/atrium-info" --variables | sed -n 's/^  \([A-Z_]*\) .*/\1/p'); do
    grep -qw "$name" "$PREFIX/share/man/man7/atrium.7" || { echo "atrium(7) lacks $name" && missing=yes; }
  done
  [[ -z $missing ]]
}

man_finds_the_pages() {
  command -v man >/dev/null || skip "man is not installed"
  local page
  for page in oshcc oshc++ oshfort oshrun atrium-info atrium-mpi atrium shmem_put shmem_putmem shmem_ctx_quiet shmem_ctx_long_atomic_fetch_add; do
    man -M "$PREFIX/share/man" -w "$page" >/dev/null
  done
}

# As wide as a terminal is; groff sees tables that do not fit, and mistakes.
man_warns_of_no_page() {
  command -v man >/dev/null || skip "man is not installed"
  local page said
  for page in "$PREFIX"/share/man/man*/*; do
    [[ $(head -c 4 "$page") != .so* ]] || continue
    said=$(MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -l "$page" 2>&1 >/dev/null)
    [[ -z $said ]] || { echo "$page: $said" && exit 1; }
  done
}

atrium_info_tells_people_and_programs_the_same() {
  needs_python
  expect "Atrium" "$bin/atrium-info" --version
  expect "PMIx" "$bin/atrium-info"
  expect "hwloc" "$bin/atrium-info"
  expect "$(readlink -f "$PREFIX")/share/doc/atrium (examples/README.md" "$bin/atrium-info"
  ATRIUM_WAIT=yield SHMEM_SYMMETRIC_SIZE=1M "$bin/atrium-info" -n 3 --json >info.json
  ATRIUM_WAIT=yield SHMEM_SYMMETRIC_SIZE=1M "$bin/atrium-info" -n 3 >info.txt
  python3 -c 'import json
info, text = json.load(open("info.json")), open("info.txt").read()
assert "3 PEs" in info["job"]["waiting"] and info["job"]["waiting"].startswith("yield"), info["job"]
for section in "build", "machine", "job":
    for name, value in info[section].items():
        assert name in text and value in text, (name, value)
values = {v["name"]: v["value"] for v in info["variables"]}
assert values["ATRIUM_WAIT"] == "yield" and values["ATRIUM_SEGMENT"] is None, values
assert all(name in text for name in values)'
}

a_wrapper_without_its_compiler_is_one_message() {
  local compiler said
  touch ./no_program
  for compiler in nonesuch-cc / ./no_program cd " "; do
    said=$(OSHCC_CC=$compiler "$bin/oshcc" a.c 2>&1) && exit 1
    [[ $said == "oshcc: there is no compiler '$compiler'"*"because:"*"while:"*"try:"*OSHCC_CC=* ]] || { echo "$said" && exit 1; }
  done
}

the_wrappers_ask_nothing_of_path() {
  PATH='' expect "" "$bin/oshcc" -O2 "$sources/ring.c" -o ring
  runs_on_two_pes ./ring
  PATH=$work expect "-latrium" "$bin/oshc++" --showme:link
  [[ ! -x $bin/atrium-mpi ]] || PATH='' expect "Atrium" "$bin/atrium-mpi" --version
}

the_library_keeps_its_abi() {
  [[ -z $SANITIZE ]] || skip "sanitizers add symbols"
  "$SOURCE_TREE/packaging/abi/check.sh" "$PREFIX/lib/libatrium.so"
}

a_library_that_lost_a_symbol_is_found() {
  command -v abidiff >/dev/null || skip "abidiff is not installed"
  [[ $(uname -m) == x86_64 ]] || skip "the promise was written down on x86-64"
  echo 'void shmem_init(void) {}' >lost.c
  cc -shared -fPIC -Wl,-soname,libatrium.so.1 lost.c -o libatrium.so
  ! "$SOURCE_TREE/packaging/abi/check.sh" ./libatrium.so >said
  grep -q 'may not run' said
}

completions_are_what_the_flags_say() {
  needs_python
  python3 "$SOURCE_TREE/packaging/completion/generate.py" --check
  local shell
  for shell in zsh fish; do
    ! command -v $shell >/dev/null || $shell -n "$SOURCE_TREE"/packaging/completion/*oshrun*"$([[ $shell == zsh ]] || echo .fish)"
  done
}

# completes WORD...: what bash offers for the last word.
completes() {
  local COMP_WORDS=(oshrun "$@") COMP_CWORD=$# COMPREPLY=()
  _oshrun
  printf '%s\n' "${COMPREPLY[@]}"
}

bash_completes_flags_values_and_programs() {
  source "$PREFIX/share/bash-completion/completions/oshrun"
  [[ $(completes --tim) == --timeout ]]
  [[ $(completes -n 2 --bind-to pa) == package ]]
  touch my_program my_input
  [[ $(completes -n 2 my_pro) == my_program ]]
  [[ $(completes -n 2 ./my_program my_in) == my_input ]]
  [[ -z $(completes -n "") ]]
}

the_module_file_follows_the_prefix() {
  local command version said path=$PATH
  command=$(find /usr/lib /usr/share/modules -maxdepth 3 -name modulecmd.tcl 2>/dev/null | head -n 1 || true)
  [[ -n $command ]] || skip "environment-modules is not installed"
  version=$(sed -n 's/^project(atrium VERSION \([0-9.]*\).*/\1/p' "$SOURCE_TREE/CMakeLists.txt")
  said=$(env -u MANPATH "MODULEPATH=$PREFIX/share/modulefiles" "$command" bash load "atrium/$version")
  (eval "$said" && [[ $(command -v oshrun) -ef $bin/oshrun && $ATRIUM_PREFIX -ef $PREFIX && $MANPATH == *: ]]) || { echo "$said" && exit 1; }
  # Twice is once, and leaves nothing.
  export MODULEPATH=$PREFIX/share/modulefiles
  for _ in 1 2; do eval "$("$command" bash load "atrium/$version")"; done
  [[ $(tr : '\n' <<<"$PATH" | grep -cxF "$bin") -eq 1 ]]
  eval "$("$command" bash unload "atrium/$version")"
  [[ $PATH == "$path" && -z ${ATRIUM_PREFIX:-} ]]
}

# Sets `python`: the first that has what is imported. (Debian packages are seen by Debian's own alone.)
find_python_with() {
  local module=$1
  for python in python3 /usr/bin/python3; do ! $python -c "import $module" 2>/dev/null || return 0; done
  skip "$module is not installed"
}
prepare_python() {
  [[ -z $SANITIZE ]] || skip "an instrumented library cannot be loaded into python"
  find_python_with "$1"
  export ATRIUM_PREFIX=$PREFIX PYTHONPATH=$SOURCE_TREE/python PYTHONDONTWRITEBYTECODE=1
}

python_solves_the_rod_with_numpy() {
  prepare_python numpy
  local pes
  for pes in 1 4; do
    expect "equals the rod in one piece" timeout 60 "$bin/oshrun" -q -n $pes $python "$SOURCE_TREE/examples/python/heat.py"
  done
}

python_arrays_are_the_memory_of_their_pe() {
  prepare_python numpy
  local pes
  for pes in 1 2 3; do expect "all good" timeout 60 "$bin/oshrun" -q -n $pes $python "$SOURCE_TREE/tests/install/arrays.py"; done
}

an_exception_on_one_pe_ends_the_job() {
  prepare_python numpy
  local said
  printf 'import atrium\natrium.init()\natrium.zeros(1)\nassert atrium.my_pe() != 1, "not me"\n' >dies.py
  said=$(timeout 60 "$bin/oshrun" -q -n 3 $python dies.py 2>&1) && exit 1
  [[ $said == *"AssertionError: not me"*"ended with status 1"* ]] || { echo "$said" && exit 1; }
}

a_test_of_pytest_passes_if_it_passes_on_all_pes() {
  prepare_python pytest
  $python -c 'import numpy' || skip "numpy is not installed"
  local said
  printf 'def test_alike(pes): assert pes == 2\ndef test_not_alike(pe): assert pe == 0\ndef test_after(pe): assert pe in (0, 1)\n' >test_pes.py
  said=$(timeout 60 "$bin/oshrun" -q -n 2 $python -m pytest -q -p atrium.pytest_plugin test_pes.py 2>&1) && exit 1
  [[ $said == *"PE 1: test_pes.py::test_not_alike"* && $said == *"1 failed, 2 passed"* && ! -e .pytest_cache ]] || { echo "$said" && exit 1; }
}

python_without_the_library_says_why() {
  prepare_python numpy
  local said
  mkdir -p broken/lib && echo "no ELF file" >broken/lib/libatrium.so.1
  said=$(ATRIUM_PREFIX=$work/broken $python -c 'import atrium' 2>&1) && exit 1
  [[ $said == *"cannot load $work/broken/lib/libatrium.so.1"*"because:"*"this is $(uname -m)"*"try:"* ]] || { echo "$said" && exit 1; }
}

# Debian's own tools refuse a package when a file is in none; here that is known without building one. The folder of libraries
# has a part more there, and documents come from elsewhere (packaging/debian/rules).
every_installed_file_is_in_a_debian_package() {
  local file pattern patterns missing=
  mapfile -t patterns < <(cat "$SOURCE_TREE"/packaging/debian/{*.install,not-installed})
  while IFS= read -r file; do
    file=usr/${file/#lib\//lib/triplet/}
    for pattern in "${patterns[@]}" usr/share/doc; do
      # shellcheck disable=SC2053 # these are patterns
      [[ $file != $pattern && $file != $pattern/* ]] || continue 2
    done
    echo "in no Debian package: $file" && missing=yes
  done < <(cd "$PREFIX" && find . ! -type d -printf '%P\n')
  [[ -z $missing ]]
}

the_bill_of_materials_names_every_file() {
  needs_python
  mkdir -p atrium-9.9 && echo 1 >atrium-9.9/a && echo 2 >atrium-9.9/b
  tar -czf atrium-9.9.tar.gz atrium-9.9
  python3 "$SOURCE_TREE/packaging/sbom.py" "$work/atrium-9.9.tar.gz" >sbom.json
  python3 -c 'import json, sys
bill = json.load(open("sbom.json"))
assert sorted(f["fileName"] for f in bill["files"]) == ["./a", "./b"], bill["files"]
assert bill["packages"][0]["versionInfo"] == "9.9" and bill["spdxVersion"] == "SPDX-2.3"'
}

"$1"
