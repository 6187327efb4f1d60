# What OpenMP orders: with gcc each case of openmp.c, with clang the programs below, and some with both.
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
clang_and_its_openmp_are_followed_too() {
  command -v clang >/dev/null || { echo "clang is missing"; return 77; }
  export OSHCC_CC=clang
  write_program 'if (me == 0) shmem_long_put(y, heap, 10, 1); else printf("%ld", y[3]);'
  compile -O2 -fatrium-race; expect_status 66 checked -n 2 "$scratch/p"; says 'PE 1 +load, 8 bytes +p.c:12 in main'; says '`y` of PE 1'
  write_program 'long sum = 0; _Pragma("omp parallel for reduction(+:sum)") for (int i = 0; i < 1000; i++) { y[i] = i; sum += y[i]; }
    _Pragma("omp parallel") { _Pragma("omp single") { for (int i = 0; i < 100; i++) _Pragma("omp task firstprivate(i)") y[i] += 1; }
    _Pragma("omp for") for (int i = 0; i < 1000; i++) y[i] += 1; } printf("%ld", sum);'
  "$BUILD_TREE/bin/oshcc" -g -fopenmp "$scratch/p.c" -o "$scratch/p" 2>/dev/null || { echo "clang has no OpenMP"; return 77; }
  compile -O1 -fopenmp -fatrium-race; expect_status 0 checked -n 2 "$scratch/p"
  sed -i 's/_Pragma("omp for")//' "$scratch/p.c"
  compile -O1 -fopenmp -fatrium-race; expect_status 66 env OMP_NUM_THREADS=2 "$BUILD_TREE/bin/oshrun" --check=races -n 2 "$scratch/p"
}
# As that of Ubuntu 24.04 asks its own. What names tools is as it was for programs that this one starts.
a_run_time_library_that_asks_another_tool_before_ours_is_followed() {
  command -v clang >/dev/null || { echo "clang is missing"; return 77; }
  export OSHCC_CC=clang
  write_program '_Pragma("omp parallel num_threads(2)") { _Pragma("omp critical") y[0]++; } printf("%s", getenv("OMP_TOOL_LIBRARIES"));'
  sed -i '1i #include <stdlib.h>\nvoid* ompt_start_tool(unsigned version, const char* library) { (void)version, (void)library; return NULL; }' "$scratch/p.c"
  "$BUILD_TREE/bin/oshcc" -g -fopenmp "$scratch/p.c" -o "$scratch/p" 2>/dev/null || { echo "clang has no OpenMP"; return 77; }
  compile -O1 -fopenmp -fatrium-race; OMP_TOOL_LIBRARIES=/nowhere.so expect_status 0 checked -n 1 "$scratch/p"
  expect [ "$(cat "$scratch/out")" = /nowhere.so ]
}
# Memory of tasks is used again by the libraries, without malloc; objects are copied there by the creator's own code.
what_tasks_are_given_is_theirs_alone() {
  cat >"$scratch/p.cpp" <<'END'
#include <shmem.h>
static long y[100];
struct Copied {
  int a[4];
  Copied(int i) { for (int &one : a) one = i; }
  Copied(const Copied &other) { for (int k = 0; k < 4; k++) a[k] = other.a[k]; }
};
int main() {
  shmem_init();
  for (int round = 0; round < 50; round++)
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 100; i++) {
      Copied copied(i);
      int array[6] = {i, i, i};
#pragma omp task firstprivate(copied, array)
      { copied.a[1]++; array[2]++; y[i] += copied.a[1] + array[2] + i; }
    }
  shmem_finalize();
}
END
  for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    OSHCXX_CXX=$compiler "$BUILD_TREE/bin/oshcxx" -g -O1 -fopenmp -fatrium-race "$scratch/p.cpp" -o "$scratch/p" || continue
    OMP_NUM_THREADS=4 expect_status 0 checked -n 2 "$scratch/p"; expect [ ! -s "$scratch/err" ]
  done
}
# Its children write there, and what they have written is nothing to the task that has its own locals there next.
locals_of_a_task_are_not_those_of_the_task_before_it() {
  local level
  write_program '_Pragma("omp parallel num_threads(3)") _Pragma("omp single") x = fibonacci(14); printf("%ld", x);'
  sed -i 's/^int main/static long fibonacci(int n) {\n  long a, b;\n  if (n < 2) return n;\n#pragma omp task shared(a)\n  a = fibonacci(n - 1);\n#pragma omp task shared(b)\n  b = fibonacci(n - 2);\n#pragma omp taskwait\n  return a + b;\n}\n&/' "$scratch/p.c"
  for compiler in gcc clang; do
    export OSHCC_CC=$compiler
    "$BUILD_TREE/bin/oshcc" -g -fopenmp "$scratch/p.c" -o "$scratch/p" 2>/dev/null || continue
    for level in -O0 -O2; do compile $level -fopenmp -fatrium-race; expect_status 0 checked -n 1 "$scratch/p"; expect [ ! -s "$scratch/err" ]; done
  done
}
sections_and_tasks_are_followed_and_barriers_order_them() {
  write_program '_Pragma("omp parallel num_threads(2)") { _Pragma("omp sections") { _Pragma("omp section") y[0] = 1; _Pragma("omp section") y[0] = 2; } } printf("%ld", y[0]);'
  compile -O1 -fopenmp -fatrium-race; expect_status 66 checked -n 1 "$scratch/p"; says 'race: PE 0 stores'
  write_program 'long sum = 0; _Pragma("omp parallel for reduction(+:sum)") for (int i = 0; i < 1000; i++) { y[i] = i; sum += y[i]; }
    _Pragma("omp parallel") { _Pragma("omp single") { for (int i = 0; i < 100; i++) _Pragma("omp task firstprivate(i)") y[i] += 1; }
    _Pragma("omp for") for (int i = 0; i < 1000; i++) y[i] += 1; } printf("%ld", sum);'
  compile -O1 -fopenmp -fatrium-race; expect_status 0 checked -n 2 "$scratch/p"
}
