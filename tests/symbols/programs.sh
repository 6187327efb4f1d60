# One program, compiled in every way that programs are: its places are told alike.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

# `here` lies in a function that is inlined into `outer`, `routine` in one of "shmem.h" that is.
function write_sources {
  mkdir -p "$scratch/shmem"; cd "$scratch" || exit
  printf '%s\n' 'static inline __attribute__((always_inline)) void shmem_touch(long* to) {' \
    '  __asm__ volatile(".globl routine\nroutine:\n nop" : : "r"(to) : "memory");' '}' >shmem/inline.h
  printf '%s\n' '#include "shmem/inline.h"' 'static long table[4];' \
    'static inline __attribute__((always_inline)) void inner(long* to) {' \
    '  __asm__ volatile(".globl here\nhere:\n nop" : : "r"(to) : "memory");' '}' \
    '__attribute__((noinline)) void outer(void) {' '  inner(table);' '  shmem_touch(table);' '}' \
    'int main(void) {' '  outer();' '  return 0;' '}' >p.c
}
function address_of { nm "$1" | sed -n "s/^0*\([0-9a-f]*\) [a-zA-Z] $2\$/\1/p"; }
# says FILE SYMBOL WORDS [OTHER-FILE]: of that symbol's address; OTHER-FILE has the same code, and is asked.
function says {
  local address said; address=$(address_of "$1" "$2"); [ -n "$address" ] || { complain "$1 has no $2"; return; }
  said=$("$WORDS" "${4:-$1}" "$address"); [ "$said" = "$3" ] || complain "$1, $2: $said, and it should be: $3"
}
# compile COMMAND...: into a program of which the places are known. One whose linker has not what it takes is left out.
function compile { "$@" p.c -o p 2>log || { grep -q 'cannot find\|plugin' log || complain "$*: $(cat log)"; return 1; }; }
function tells_all { compile "$@" || return 0; says p here 'p.c:4 in inner|'; says p routine 'p.c:8 in outer|shmem_touch'; }

each_way_of_linking_is_alike() {
  needs_lines; need nm; write_sources
  local way level
  for way in -pie -no-pie -static -static-pie -flto; do for level in -O0 -O2; do tells_all gcc -g $level $way; done; done
}
each_compiler_is_alike() {
  needs_lines; need nm; need clang; write_sources
  local way level
  for way in -fPIE -no-pie -gsplit-dwarf; do for level in -O0 -O2; do tells_all clang -g $level $way; done; done
}
each_form_of_debugging_information_is_alike() {
  needs_lines; need nm; write_sources
  local form
  for form in -gdwarf-4 -gdwarf-5 '-gdwarf-5 -gz' '-gdwarf-4 -fdebug-types-section' '-gdwarf-4 -gsplit-dwarf' '-gdwarf-5 -gsplit-dwarf'; do
    # shellcheck disable=SC2086  # words
    tells_all gcc -O2 $form
  done
}
without_lines_the_function_is_told() {
  need nm; write_sources
  gcc -O2 -fno-asynchronous-unwind-tables p.c -o p; nm p >/dev/null; says p outer 'outer of p|'
}
a_stripped_program_has_addresses_alone() {
  need nm; need strip; write_sources
  gcc -g -O2 p.c -o p; strip -o bare p
  says p outer "$(printf 'bare+0x%x|' $((0x$(address_of p outer) + 1)))" bare
}
functions_are_called_as_they_were_written() {
  needs_lines; need nm; need g++; write_sources
  printf '%s\n' 'namespace solver {' '__attribute__((noinline)) int relax(int n) {' '  __asm__ volatile("");' '  return n + 1;' '}' '}' \
    'int main() { return solver::relax(1); }' >p.cpp
  g++ -g -O0 p.cpp -o p; says p _ZN6solver5relaxEi 'p.cpp:2 in solver::relax(int)|'
}
# gcc declares a parallel region within its function and puts it elsewhere.
parallel_regions_are_of_their_functions() {
  needs_lines; need nm; write_sources
  printf '%s\n' 'static inline __attribute__((always_inline)) void inner(void) {' '  __asm__ volatile(".globl here\nhere:\n nop");' '}' \
    'int main(void) {' '#pragma omp parallel' '  inner();' '  return 0;' '}' >omp.c
  gcc -g -O0 -fopenmp omp.c -o p 2>/dev/null || skip "OpenMP is not installed"
  says p here 'omp.c:2 in inner|'; says p main._omp_fn.0 'omp.c:5 in main|'
}
fortran_is_alike() {
  needs_lines; need nm; need gfortran; write_sources
  printf '%s\n' 'subroutine relax(n)' '  integer :: n' '  n = n + 1' 'end subroutine' 'program p' '  integer :: n = 1' \
    '  call relax(n)' '  print *, n' 'end program' >p.f90
  gfortran -g -O0 p.f90 -o p; says p relax_ 'p.f90:1 in relax|'
}
# Whatever libdw does with it happens to a child.
a_broken_file_breaks_nobody() {
  need nm; write_sources
  local bytes
  gcc -g -O2 p.c -o p
  for bytes in 0 10 60 700 4200 12000 $(($(stat -c %s p) - 900)); do
    head -c "$bytes" p >broken; "$WORDS" "$scratch/broken" "$(address_of p here)" >out || complain "of $bytes bytes: status $?"
    [ -s out ] || complain "of $bytes bytes nothing is said"
  done
  dd if=/dev/urandom of=p bs=512 seek=20 count=20 conv=notrunc 2>/dev/null; "$WORDS" "$scratch/p" 1000 >out || complain "of noise: status $?"
}
