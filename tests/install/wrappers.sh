# oshcc and the other wrappers, by all their names, and what their libraries are called.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_TREE/tests/install/installed.sh"

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
  says "'a folder/it'\\''s.c'" "$bin/oshcc" --showme "a folder/it's.c"
  eval "$("$bin/oshcc" -show "a folder/it's.c" -DGREETING='"a b"' -DGREETING_FILE='"a greeting.h"' -o shown)"
  ./shown
}

a_folder_with_spaces_can_hold_atrium() {
  [[ -z $SANITIZE ]] || skip "a sanitized program has no race checker"
  mkdir -p "a prefix/bin"
  cp "$bin/oshcc" "a prefix/bin/"
  ln -s "$PREFIX/lib" "$PREFIX/include" "a prefix/"
  "a prefix/bin/oshcc" "$sources/ring.c" -o ring
  runs_on_two_pes ./ring
  "a prefix/bin/oshcc" -fatrium-race "$sources/ring.c" -o checked
  runs_on_two_pes --check=races ./checked
  echo '#include <shmem.h>
static int x;
int main(void) { shmem_init(); shmem_int_p(&x, 1, 0); shmem_finalize(); return 0; }' >racy.c
  "a prefix/bin/oshcc" -g -fatrium-race racy.c -o racy
  says 'race check: 1 pair of lines' bash -c '"$@" || [[ $? = 66 ]]' run "$bin/oshrun" -n 2 --check=races ./racy
  says 'shmem_int_p' "$bin/oshrun" -n 2 --profile ./racy
}

the_headers_of_a_program_come_before_atriums() {
  mkdir -p own parts/shmem mpi
  echo '#define OWN 1' >own/shmemx.h
  echo '#error this is of the program' >parts/shmem/types.h
  printf '#include <shmem.h>\n#include <shmemx.h>\nint main(void) { return shmem_n_pes() - OWN; }\n' >own.c
  "$bin/oshcc" -O2 -Iown -c own.c
  "$bin/oshcc" -O2 -I own -c own.c
  echo '#error this is of another library' | tee mpi/shmem.h >mpi/shmemx.h
  "$bin/oshcc" -O2 -Impi "$sources/ring.c" -o ring
  "$bin/oshcc" -O2 "$sources/ring.c" -I mpi -Iparts -o ring
  runs_on_two_pes ./ring
}

oshcc_answers_without_linking() {
  says "" "$bin/oshcc" --version
  says "" "$bin/oshcc" -v
  says "" "$bin/oshc++" -dumpmachine
  says "usage: oshcc" "$bin/oshcc" --help
}

oshcc_shows_its_parts() {
  says "-I" "$bin/oshcc" --showme:compile
  says "-latrium" "$bin/oshcc" --showme:link
  says "$PREFIX/include" "$bin/oshcc" -showme:incdirs
  says "$PREFIX/lib" "$bin/oshcc" --showme:libdirs
  says "atrium" "$bin/oshc++" --showme:libs
  says "Atrium" "$bin/oshc++" --showme:version
  [[ $("$bin/oshcc" -show -c a.c) != *-latrium* ]]
  ! "$bin/oshcc" --showme:nonsense 2>/dev/null
}

oshcc_takes_another_compiler() {
  says "another-cc " env OSHCC_CC=another-cc "$bin/oshcc" --showme a.c
  says "another-c++ " env OSHCXX_CXX=another-c++ "$bin/oshc++" --showme a.c
  need clang
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
  local kind
  for kind in -static -static-pie; do
    "$bin/oshcc" -O2 $kind "$sources/ring.c" -o ring
    [[ $(readelf -d ring) != *NEEDED* ]]
    runs_on_two_pes ./ring
  done
}

oshfort_builds_fortran_programs() {
  [[ -x $bin/oshfort ]] || skip "there is no Fortran compiler"
  local example
  for example in 21_fortran_ring 22_fortran_pi 23_fortran_classic; do
    "$bin/oshfort" -O2 "$sources/../../examples/$example.f90" -o "$example"
    timeout 60 "$bin/oshrun" -n 2 "./$example"
  done
  says "$PREFIX/include/atrium/fortran/shmem_f08.f90" "$bin/shmemfort" --showme:modules
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
  says "$PREFIX/include" ./shmemcc --showme:incdirs
  PATH=$bin:$PATH says "$PREFIX/include" oshcc --showme:incdirs
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

a_wrapper_without_its_compiler_is_one_message() {
  local compiler said
  touch ./no_program
  for compiler in nonesuch-cc / ./no_program cd " "; do
    said=$(OSHCC_CC=$compiler "$bin/oshcc" a.c 2>&1) && exit 1
    [[ $said == "oshcc: there is no compiler '$compiler'"*"because:"*"while:"*"try:"*OSHCC_CC=* ]] || { echo "$said" && exit 1; }
  done
}

the_wrappers_ask_nothing_of_path() {
  PATH='' says "" "$bin/oshcc" -O2 "$sources/ring.c" -o ring
  runs_on_two_pes ./ring
  PATH=$work says "-latrium" "$bin/oshc++" --showme:link
  [[ ! -x $bin/atrium-mpi ]] || PATH='' says "Atrium" "$bin/atrium-mpi" --version
}
