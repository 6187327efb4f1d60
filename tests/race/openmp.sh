# What gcc's OpenMP orders: each case of openmp.c.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317
. "$SOURCE_TREE/tests/race/programs.sh"

function compile_openmp {
  OSHCC_CC=gcc "$BUILD_TREE/bin/oshcc" -g -fopenmp -fatrium-race "$@" "$scratch/p.c" -o "$scratch/p" 2>"$scratch/err" || skip "no gcc with OpenMP: $(tail -1 "$scratch/err")"
}
tasks_loops_of_tasks_and_reductions_over_tasks_are_followed() {
  command -v gcc >/dev/null || skip "gcc is missing"
  cp "$SOURCE_TREE/tests/race/openmp.c" "$scratch/p.c"
  compile_openmp -O1
  each_case_is_judged
}
# They call routines with names of their own.
locks_of_fortran_programs_order_their_threads() {
  command -v gfortran >/dev/null || skip "gfortran is missing"
  printf '%s\n' 'subroutine add(sum)' '  use omp_lib' '  integer(8) :: sum' '  integer(omp_lock_kind) :: lock' '  integer(omp_nest_lock_kind) :: nested' \
    '  call omp_init_lock(lock)' '  call omp_init_nest_lock(nested)' '  !$omp parallel num_threads(2)' '  call omp_set_lock(lock)' '  sum = sum + 1' \
    '  call omp_unset_lock(lock)' '  !$omp barrier' '  call omp_set_nest_lock(nested)' '  sum = sum + 1' '  call omp_unset_nest_lock(nested)' \
    '  !$omp end parallel' 'end subroutine' >"$scratch/add.f90"
  gfortran -g -O1 -fopenmp -fsanitize=thread -c "$scratch/add.f90" -o "$scratch/add.o" || skip "gfortran has no OpenMP"
  write_program 'void add_(long *); add_(&x); printf("%ld", x);'
  compile_openmp "$scratch/add.o"; expect_status 0 checked -n 1 "$scratch/p"; expect [ ! -s "$scratch/err" ]
}
