#!/usr/bin/env bash
# What the library must refuse of Fortran programs, and what oshfort does. Cases for launch/run_case.sh.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail

here=$SOURCE_TREE/tests/fortran
bin=$BUILD_TREE/bin
cd "$scratch"

function skip { echo "$*" && exit 77; }

# refuses CASE WHAT...: wrong.F90 with this case ends with a message that has each of these texts.
function refuses {
  "$bin/oshfort" -g -fcray-pointer -DCASE="$1" "$here/wrong.F90" -o wrong
  local said
  said=$("$bin/oshrun" --check -n 1 ./wrong 2>&1) && { echo "case $1 ran through" && exit 1; }
  for text in "${@:2}"; do
    [[ $said == *"$text"* ]] || { echo "case $1 lacks '$text': $said" && exit 1; }
  done
}

# says WHAT COMMAND...
function says {
  local said
  said=$("${@:2}" 2>&1) || { echo "failed: ${*:2}: $said" && exit 1; }
  [[ $said == *"$1"* ]] || { echo "expected '$1' from ${*:2}, got: $said" && exit 1; }
}

a_copy_of_a_section_is_refused() { refuses 1 'dest is not symmetric' 'the compiler passes a copy' SHMEM_INTEGER_PUT 'try:'; }
a_local_variable_is_refused() { refuses 2 'dest is not symmetric' SHMEM_INTEGER_PUT; }
a_negative_count_is_refused() { refuses 3 'nelems is no number of elements' 'its value is -1'; }
a_collective_into_a_local_variable_is_refused() { refuses 4 'dest is not symmetric' SHMEM_BROADCAST4; }
a_short_variable_is_refused() { refuses 5 'dest leaves the object that it begins in' '`row' 'has 16 bytes, and 20 bytes'; }
a_lock_is_cleared_by_its_holder_and_set_once() { refuses 6 'does not hold the lock'; refuses 7 'holds the lock already'; }
an_array_without_memory_is_refused() { refuses 8 'dest is not there' 'null pointer'; }
an_address_that_shpalloc_never_gave_is_refused() { refuses 9 'outside the symmetric heap' 'SHPALLOC has given'; }
# A complex number is aligned as its halves are, and characters not at all, whatever their size.
arrays_need_no_alignment_that_fortran_does_not_give_them() {
  cat >unaligned.f90 <<'END'
program unaligned
  use shmem_f08
  implicit none
  type :: record
    sequence
    character(1) :: first
    character(4) :: words(6)
    character(7) :: gap
    complex(4) :: z(6)
  end type
  type(record), save :: a
  character(4) :: words(3)
  complex(4) :: z(3)
  integer :: next
  call shmem_init()
  next = mod(shmem_my_pe() + 1, shmem_n_pes())
  words = ['this', 'that', 'both']
  z = [(1, 2), (3, 4), (5, 6)]
  call shmem_put(a%words(1:5:2), words, next)
  call shmem_put(a%z(1:5:2), z, next)
  call shmem_barrier_all()
  words = ''
  call shmem_get(words, a%words(1:5:2), next)
  if (any(words /= ['this', 'that', 'both']) .or. any(a%z(1:5:2) /= z)) error stop 1
  call shmem_finalize()
end program
END
  cat >common.f90 <<'END'
program common
  use shmem
  implicit none
  integer :: before, i, next
  complex :: dest(6), source(6)
  common /both/ before, dest
  call shmem_init()
  next = mod(shmem_my_pe() + 1, shmem_n_pes())
  source = [(cmplx(i, -i), i = 1, 6)]
  call shmem_complex_put(dest, source, 6, next)
  call shmem_barrier_all()
  if (any(dest /= source)) error stop 1
  call shmem_barrier_all()
  call shmem_complex_iput(dest, source, 2, 1, 3, next)
  call shmem_barrier_all()
  if (any(dest /= source([1, 2, 2, 4, 3, 6]))) error stop 2
  source = 0
  call shmem_complex_get(source, dest, 6, next)
  if (any(dest /= source)) error stop 3
  call shmem_complex_iget(source, dest, 1, 2, 3, next)
  if (any(source(:3) /= dest(1:5:2))) error stop 4
  call shmem_finalize()
end program
END
  local name
  for name in unaligned common; do
    "$bin/oshfort" -g $name.f90 -o $name
    says "" "$bin/oshrun" -q --check -n 2 ./$name
  done
}
# Old programs call on all PEs.
a_reduction_of_real16_does_nothing_outside_of_its_set() {
  cat >outside.f90 <<'END'
program outside
  use shmem
  implicit none
  real(16), save :: dest(1), source(1), work(SHMEM_REDUCE_MIN_WRKDATA_SIZE)
  integer, save :: sync(SHMEM_REDUCE_SYNC_SIZE)
  sync = SHMEM_SYNC_VALUE
  call shmem_init()
  dest = -1
  source = 5 + shmem_my_pe()
  call shmem_barrier_all()
  call shmem_real16_sum_to_all(dest, source, 1, 1, 0, 1, work, sync)
  if (dest(1) /= merge(6, -1, shmem_my_pe() == 1)) error stop 1
  call shmem_finalize()
end program
END
  "$bin/oshfort" outside.f90 -o outside
  says "" "$bin/oshrun" -q -n 3 ./outside
}
# By the names of the functions behind the interfaces, which lie in the program.
the_line_of_the_call_is_told_and_the_routine_as_it_is_called() {
  needs_lines
  line_of() { grep -n "$1" "$here/wrong.F90" | tail -1 | cut -d: -f1; }
  refuses 1 "SHMEM_INTEGER_PUT, called from wrong.F90:$(line_of 'integer_put(plane') in wrong"
  refuses 5 "shmem_integer_put, called from wrong.F90:$(line_of 'row, plane, 5') in wrong"
  refuses 9 "SHPDEALLC, called from wrong.F90:$(line_of 'shpdeallc') in wrong"
  refuses 18 "shmem_put, called from wrong.F90:$(line_of 'row(2:3)') in wrong"
}
# The block is one object; where a range begins, its variable is named.
a_common_block_and_its_variables_have_their_names() {
  needs_lines
  refuses 19 'dest leaves the object that it begins in' '`/grid/` has 32 bytes, and 20 bytes are wanted from its byte 16 on'
  refuses 20 'dest and source overlap' '`second of /grid/` from byte 4 to 16' '`second of /grid/` from byte 0 to 12' 'while:   shmem_put32, called from'
}
# Where library and program are one file, too.
routines_of_a_static_program_have_their_names() {
  "$bin/oshfort" -g -static -DCASE=5 "$here/wrong.F90" -o wrong 2>/dev/null || skip "no static link here"
  local said
  said=$("$bin/oshrun" --check -n 1 ./wrong 2>&1) && { echo "it ran through" && exit 1; }
  [[ $said == *'while:   shmem_integer_put, called from'* ]] || { echo "lacks the routine: $said" && exit 1; }
}
f08_refuses_a_local_variable() {
  refuses 10 'dest is not symmetric' shmem_put 'or memory of shmem_malloc'
  [[ $("$bin/oshrun" -n 1 ./wrong 2>&1) != *'use shmem_f08'* ]]
}
f08_refuses_two_types() { refuses 11 'source has another type than dest'; }
f08_refuses_a_smaller_destination() { refuses 12 'dest has fewer elements than source'; }
f08_refuses_gaps_in_a_collective() { refuses 13 'dest has gaps' shmem_sum_reduce; }
f08_refuses_more_elements_than_there_are() { refuses 14 'nelems is more than an array has'; }
f08_refuses_too_little_room_for_a_collection() { refuses 15 'dest has too little room'; }
f08_refuses_an_invalid_team() { refuses 16 SHMEM_TEAM_INVALID; }
f08_refuses_an_expression_as_destination() { refuses 17 'dest is not symmetric'; }

every_classic_routine_is_called_by_a_test() {
  local called
  # shellcheck disable=SC2086
  called=$(nm $PROGRAMS | awk '$2 == "T" { print $3 }' | sort -u)
  nm "$ARCHIVE" 2>/dev/null | awk '$2 == "T" && $3 ~ /^(sh|start|my_pe|num_pes).*_$/ { print $3 }' | sort -u >routines
  [[ $(wc -l <routines) -gt 150 ]]
  # An archive's member is linked as a whole, so what counts is that the program's own text names the routine.
  local routine missing=
  cat "$here"/*.F90 "$here"/*.f90 "$here"/generated/*.F90 "$here"/*.f | tr '[:upper:]' '[:lower:]' >texts
  while read -r routine; do
    grep -qw "${routine%_}" texts || { echo "no test calls $routine" && missing=yes; }
  done <routines
  [[ -z $missing && $called == *shmem_put8_* ]]
}

every_name_of_the_module_is_called_by_a_test() {
  local name missing=
  cat "$here"/*.f90 "$here"/generated/f08.f90 "$SOURCE_TREE"/examples/*.f90 >texts
  for name in $(sed -n 's/^  public :: \(shmem_[a-z0-9_]*\)$/\1/p' "$SOURCE_TREE/fortran/generated/shmem_f08.f90"); do
    [[ $name == shmem_ctx_* ]] && grep -qw "${name/ctx_/}" texts && continue  # the same procedure with a context
    grep -qw "$name" texts || { echo "no test calls $name" && missing=yes; }
  done
  [[ -z $missing ]]
}

oshfort_shows_its_parts() {
  says "-latrium_fortran -latrium" "$bin/oshfort" --showme:link
  says "-I$BUILD_TREE/include" "$bin/oshfort" --showme:compile
  says "shmem_f08.f90" "$bin/oshfort" --showme:modules
  says "atrium_fortran" "$bin/shmemfort" --showme:libs
  says "oshfort: Atrium" "$bin/oshfort" --showme:version
  says "usage: oshfort" "$bin/oshfort" --help
  says "" "$bin/oshfort" --version
  [[ $("$bin/oshfort" -show -c a.f90) != *-latrium* ]]
  ! "$bin/oshfort" --showme:nonsense 2>/dev/null
}

oshfort_compiles_and_links_in_two_steps() {
  "$bin/oshfort" -O2 -c "$SOURCE_TREE/examples/21_fortran_ring.f90" -o ring.o
  "$bin/oshfort" ring.o -o ring
  says "neighbour's row" timeout 60 "$bin/oshrun" -n 2 ./ring
}

oshfort_static_needs_no_shared_library() {
  [[ -z $SANITIZE ]] || skip "a sanitized program cannot be static"
  "$bin/oshfort" -O2 -static "$SOURCE_TREE/examples/22_fortran_pi.f90" -o pi
  [[ $(readelf -d pi 2>/dev/null) != *NEEDED* ]]
  says "pi is 3.14" timeout 60 "$bin/oshrun" -n 3 ./pi
}

fortran_and_c_make_one_program() {
  cat >value.c <<'END'
#include <shmem.h>
long value(int pe) { static long mine; mine = 7 + shmem_my_pe(); shmem_barrier_all(); return shmem_long_g(&mine, pe); }
END
  cat >main.f90 <<'END'
program main
  use, intrinsic :: iso_c_binding
  use shmem_f08
  implicit none
  interface
    integer(c_long) function value(pe) bind(C)
      import
      integer(c_int), value :: pe
    end function
  end interface
  call shmem_init()
  if (value(shmem_n_pes() - 1) /= 6 + shmem_n_pes()) call shmem_global_exit(1)
  if (shmem_my_pe() == 0) print *, 'both agree'
  call shmem_finalize()
end program
END
  "$bin/oshcc" -O2 -c value.c -o value.o
  "$bin/oshfort" -O2 main.f90 value.o -o main
  says "both agree" timeout 60 "$bin/oshrun" -n 2 ./main
}

another_version_of_the_compiler_builds_the_modules_itself() {
  [[ -z $SANITIZE ]] || skip "it would need the sanitizer's flags"
  local sources
  read -ra sources <<<"$("$bin/oshfort" --showme:modules)"
  "$FC" -c -w "${sources[@]}"
  [[ -e shmem.mod && -e shmem_f08.mod ]]
}

a_compiler_without_modules_is_told_how_to_make_them() {
  local said sources
  printf '#!/bin/sh\n[ "$1" != --version ] || { echo "GNU Fortran (x) 99.1.0"; exit; }\nexec "%s" "$@"\n' "$FC" >gfortran-99; chmod +x gfortran-99
  printf 'program a\n  use shmem_f08\nend program\n' >a.f90
  said=$(OSHFORT_FC=$PWD/gfortran-99 "$bin/oshfort" a.f90 2>&1) && return 1
  [[ $said == *'not compiled for gfortran-99'*'oshfort -c $(oshfort --showme:modules)'* && $said != *'nclude directory'* ]]
  read -ra sources <<<"$("$bin/oshfort" --showme:modules)"
  OSHFORT_FC=$PWD/gfortran-99 "$bin/oshfort" -c "${sources[@]}"
  said=$(OSHFORT_FC=$PWD/gfortran-99 "$bin/oshfort" a.f90 -o a 2>&1); [[ -z $said ]]
  said=$("$bin/oshfort" nowhere.f90 2>&1) && return 1
  [[ $said != *'not compiled for'* ]]
}

integers_of_8_bytes_are_no_default_integers_here() {
  local said
  cp "$SOURCE_TREE/tests/fortran/fixed.f" .
  "$bin/oshfort" -c fixed.f
  said=$("$bin/oshfort" -fdefault-integer-8 -c fixed.f 2>&1) && { echo "it is compiled" && exit 1; }
  [[ $said == *shmem.fh* ]] || { echo "$said" && exit 1; }
}

# make_locks [-DCROSSWISE]: each of two PEs sets a lock that the other one holds. Without it each adds to a word under a lock.
function make_locks {
  cat >locks.F90 <<'END'
program locks
  include 'shmem.fh'
  integer, save :: lock(2)
  integer(8), save :: word
  integer(8) :: mine
  integer :: i
  integer, external :: shmem_my_pe
  call shmem_init()
#ifdef CROSSWISE
  call shmem_set_lock(lock(1 + shmem_my_pe()))
  call shmem_barrier_all()
  call shmem_set_lock(lock(2 - shmem_my_pe()))
#else
  do i = 1, 20
    call shmem_set_lock(lock(2))
    call shmem_get8(mine, word, 1, 0)
    mine = mine + 1
    call shmem_put8(word, mine, 1, 0)
    call shmem_clear_lock(lock(2))
  end do
#endif
  call shmem_barrier_all()
  call shmem_finalize()
end program
END
  "$bin/oshfort" -g "$@" locks.F90 -o locks
}
what_a_lock_orders_is_no_race() {
  [[ -z $SANITIZE ]] || skip "the race checker admits no sanitizer"
  make_locks
  oshrun --check=races -n 3 ./locks && oshrun --check=races,strict -n 3 ./locks
}
a_profile_has_the_lock_and_not_what_it_does() {
  [[ -z $SANITIZE ]] || skip "the profiler is tried without sanitizers"
  make_locks
  says 'locks.F90:15 in locks, shmem_set_lock' "$bin/oshrun" --profile=here -n 2 ./locks
  ! grep -q atomic here.csv
}
# Its name and its line, and whom each lock waits for.
a_deadlock_of_locks_is_told_as_one() {
  needs_lines
  make_locks -DCROSSWISE
  local said
  said=$("$bin/oshrun" --check=deadlock -n 2 ./locks 2>&1) && { echo "it ended well" && exit 1; }
  for text in 'PE 0   waits in shmem_set_lock (locks.F90:12 in locks)' 'for the lock that PE 1 holds' 'cycle  PE 0 -> PE 1 -> PE 0' 'setting locks in the same order'; do
    [[ $said == *"$text"* ]] || { echo "lacks '$text': $said" && exit 1; }
  done
}
# waits_for WORD NAME: the report calls the word so.
function waits_for {
  "$bin/oshfort" -g -DWORD="$1" "$here/waits.F90" -o waits
  local said
  said=$("$bin/oshrun" --check=deadlock -n 2 ./waits 2>&1) && { echo "it ended well" && exit 1; }
  [[ $said == *"for \`$2\` of its own to be == 1"* ]] || { echo "lacks '$2': $said" && exit 1; }
}
words_that_are_waited_for_have_their_names() {
  needs_lines
  waits_for 'flags(3)' 'heat::flags + 8 bytes'
  waits_for x 'x of /line/'
  waits_for 'y(2)' 'y + 4 bytes of /line/'
  waits_for z 'z of //'
}

# with_flang PROGRAM SOURCE [FLAG...]: compiled by flang, run by three PEs; without the tests of real(16) where this flang has none.
function with_flang {
  local source=$here/$2
  [[ -n $FLANG && -x $FLANG ]] || skip "flang is not installed"
  [[ -z $SANITIZE ]] || skip "the sanitizers of two compilers do not mix"
  printf 'real(16) :: x\nx = 1\nend\n' >real16.f90
  if ! "$FLANG" -c real16.f90 2>/dev/null; then
    sed -E '/subroutine test_(quad|.*real16.*)\(/,/end subroutine/d; /call test_(quad|.*real16.*)\(/d' "$source" >"${source##*/}"
    source=${source##*/}
  fi
  if ! OSHFORT_FC=$FLANG "$bin/oshfort" -O0 "${@:3}" "$source" -o "$1" >said 2>&1; then
    ! grep -q 'not yet implemented' said || skip "this flang has not implemented all that the modules need"
    cat said && return 1
  fi
  oshrun -n 3 "./$1"
}

flang_knows_the_classic_interface() { with_flang classic generated/classic.F90 && with_flang rest classic_rest.F90; }
flang_knows_the_module_shmem() { with_flang classic generated/classic.F90 -DUSE_MODULE; }
flang_knows_the_types_of_the_module_shmem_f08() { with_flang f08 generated/f08.f90; }
flang_knows_the_rest_of_the_module_shmem_f08() { with_flang rest f08_rest.f90; }

# CMake keeps "NOTFOUND" from a first run without a compiler.
a_compiler_installed_later_is_found() {
  mkdir project
  cat >project/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.22)
project(later LANGUAGES C)
include($SOURCE_TREE/fortran/compiler.cmake)
file(WRITE \${CMAKE_BINARY_DIR}/found "\${CMAKE_Fortran_COMPILER}")
END
  "$CMAKE" -S project -B build -DCMAKE_Fortran_COMPILER=NOTFOUND >/dev/null
  [[ $(<build/found) == /* ]]
  "$CMAKE" -S project -B build >/dev/null
  [[ $(<build/found) == /* ]]
}
