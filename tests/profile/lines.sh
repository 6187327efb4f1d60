# Which lines of source code the tables name, as compilers and libraries have it.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317,SC2154
. "$SOURCE_TREE/tests/profile/programs.sh"

each_line_is_named_with_its_function() {
  seen 'shmem_barrier_all();
  shmem_barrier_all(); for (int i = 0; i < 4; ++i)
    shmem_long_p(box, 1, next);'
  says ' 2 +0 B .* p.c:13 in main, shmem_barrier_all$'
  says ' 2 +0 B .* p.c:14 in main, shmem_barrier_all$'
  says ' 8 +64 B .* p.c:15 in main, shmem_long_p$'
}
lines_are_right_without_optimisation() {
  write_program 'shmem_barrier_all();
  shmem_long_p(box, 1, next);'
  compile -O0
  expect_status 0 profiled -n 2 ./p
  says 'p.c:13 in main, shmem_barrier_all$'
  says 'p.c:14 in main, shmem_long_p$'
}
# A library of that name which has nothing in it.
without_libdw_addr2line_knows_the_lines() {
  command -v addr2line >/dev/null || skip "addr2line is not installed"
  mkdir "$scratch/nothing"; echo 'int nothing;' | gcc -x c -shared - -o "$scratch/nothing/libdw.so.1"
  export LD_LIBRARY_PATH=$scratch/nothing
  seen 'shmem_barrier_all();
  shmem_long_p(box, 1, next);'
  says ' 2 +0 B .* p.c:13 in main, shmem_barrier_all$'
  says ' 2 +16 B .* p.c:14 in main, shmem_long_p$'
}
a_library_that_is_loaded_in_the_place_of_another_has_its_own_lines() {
  printf '#include <shmem.h>\nvoid use(long *to) {\n\n\n shmem_long_p(to, 1, 0); }\n' >"$scratch/first.c"
  printf '#include <shmem.h>\nvoid use(long *to) {\n shmem_long_p(to, 1, 0); }\n' >"$scratch/other.c"
  compile_library first; compile_library other
  write_program 'for (int i = 0; i < 200; i++) {
    void *library = dlopen(i % 2 ? "'"$scratch"'/other.so" : "'"$scratch"'/first.so", RTLD_NOW);
    void (*use)(long *) = (void (*)(long *))dlsym(library, "use");
    use(heap); dlclose(library); }'
  sed -i '1i #include <dlfcn.h>' "$scratch/p.c"
  compile -O1 -ldl; expect_status 0 profiled -n 1 ./p
  says ' 100 +800 B .* first.c:5 in use, shmem_long_p$'; says ' 100 +800 B .* other.c:3 in use, shmem_long_p$'
}
lines_of_fortran_programs_are_theirs() {
  [ -x "$BUILD_TREE/bin/oshfort" ] && compgen -G "$BUILD_TREE/fortran_modules/*/shmem_f08.mod" >/dev/null || { echo "there is no gfortran and no flang"; exit 77; }
  cat >"$scratch/p.f90" <<'END'
program lines
  use shmem_f08
  integer(8), save :: word(10)
  integer(8) :: mine(10)
  call shmem_init()
  mine = shmem_my_pe()
  call shmem_put(word(1:9:2), mine(1:9:2), 0)
  call shmem_finalize()
end program
END
  (cd "$scratch" && "$BUILD_TREE/bin/oshfort" -g p.f90 -o p) || complain "it does not compile"
  expect_status 0 profiled -n 2 ./p
  says ' p.f90:7 in lines, shmem_put$'
}
# Its functions lie within others, and their code does not.
lines_of_parallel_regions_are_theirs() {
  cat >"$scratch/p.c" <<'END'
#include <shmem.h>
static long x;
int main(void) {
  int level;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level);
#pragma omp parallel num_threads(3)
  for (int i = 0; i < 100; i++)
    shmem_long_atomic_inc(&x, 0);
  shmem_finalize();
}
END
  "$BUILD_TREE/bin/oshcc" -g -O2 -fopenmp "$scratch/p.c" -o "$scratch/p" || skip "gcc has no OpenMP"
  expect_status 0 profiled -n 2 ./p
  says ' 600 +4.69 KiB .* p.c:[78] in (main|a parallel region), shmem_long_atomic_inc$'
}
lines_of_programs_that_clang_compiled() {
  command -v clang >/dev/null || { echo "clang is missing"; exit 77; }
  write_program 'shmem_barrier_all();
  shmem_long_p(box, 1, next);'
  OSHCC_CC=clang compile -O2
  expect_status 0 profiled -n 2 ./p
  says 'p.c:13 in main, shmem_barrier_all$'
  says 'p.c:14 in main, shmem_long_p$'
}
