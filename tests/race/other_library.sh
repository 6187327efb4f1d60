# The checker on another OpenSHMEM, for which it is made where Open MPI's is installed: programs compiled by that one's
# wrapper and started by its launcher.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name
. "$SOURCE_TREE/tests/shnode/openmpi_shmem.sh"
checker=$BUILD_TREE/lib/libatrium-race-oshmem.so

# Before expect_status, which would keep the reason to itself.
function need_the_library {
  [ -n "$OTHER_OSHCC" ] && [ -e "$checker" ] || skip "Open MPI's OpenSHMEM is not installed"
  [ ! -e "$scratch/empty" ] || return 0
  echo '#include <shmem.h>
int main(void) { shmem_init(); shmem_finalize(); }' >"$scratch/empty.c"
  "$OTHER_OSHCC" "$scratch/empty.c" -o "$scratch/empty" || complain "it does not compile"
  started 3 empty >/dev/null 2>&1 || skip "Open MPI's OpenSHMEM does not start here"
}

# program NAME BODY [FLAG...]: `me`, `n`; x, y and lock are static, `heap` has 100 longs.
function program {
  need_the_library
  local name=$1 body=$2; shift 2
  cat >"$scratch/$name.c" <<END
#include <shmem.h>
#include <stdio.h>
static long x, y[1000], lock, sync_words[SHMEM_BARRIER_SYNC_SIZE], reduce_words[SHMEM_REDUCE_SYNC_SIZE], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
int main(void) {
  for (int i = 0; i < SHMEM_BARRIER_SYNC_SIZE; i++) sync_words[i] = SHMEM_SYNC_VALUE;
  for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++) reduce_words[i] = SHMEM_SYNC_VALUE;
  shmem_init();
  int me = shmem_my_pe(), n = shmem_n_pes();
  long *heap = shmem_calloc(100, sizeof(long));
  (void)n, (void)y, (void)work, (void)lock;
  $body
  shmem_barrier_all();
  shmem_free(heap);
  shmem_finalize();
  return 0;
}
END
  "$OTHER_OSHCC" -g -O1 "$@" "$scratch/$name.c" -o "$scratch/$name" || complain "it does not compile"
}
# Its loads and stores are seen, too. OSHMEM_CC and OSHCC_CC name another compiler.
# shellcheck disable=SC2046  # flags are words
function instrumented { program "$@" $("$BUILD_TREE/bin/oshcc" --showme:race=oshmem); }
# The same of a file, by that library's wrapper for its language: `oshc++ FILE [FLAG...]`, to the file's name without suffix.
# shellcheck disable=SC2046
function instrumented_by {
  "${OTHER_OSHCC%oshcc}$1" -g "${@:3}" "$scratch/$2" -o "$scratch/${2%.*}" $("$BUILD_TREE/bin/oshcc" --showme:race=oshmem) || complain "it does not compile"
}
function need_clang {
  command -v clang >/dev/null || skip "clang is missing"
  export OSHMEM_CC=clang OSHMEM_CXX=clang++ OSHCC_CC=clang
}

# PES "NAME [ARGUMENT]" [OPTION...], by that library's launcher.
# shellcheck disable=SC2086
function started {
  local status
  UCX_TLS=${transports:-sysv,cma,self} SHMEM_SYMMETRIC_SIZE=16M start_openmpi_shmem "$scratch/told" "$scratch/complained" 40 \
    "${OTHER_OSHCC%oshcc}oshrun" --allow-run-as-root --oversubscribe --bind-to none --mca osc ucx \
    --mca btl_vader_backing_directory "$scratch" "${@:3}" -n "$1" $scratch/$2
  status=$?
  cat "$scratch/told"; cat "$scratch/complained" >&2
  return $status
}
function checked { started "$1" "${*:2}" -x LD_PRELOAD="$checker" -x ATRIUM_RACES=on -x ATRIUM_QUIET=1; }
function says { expect grep -qE "$1" "$scratch/err"; }
# The library's own chatter is not ours.
function said { grep -c '^atrium: ' "$scratch/err"; }
function is_clean { expect_status 0 checked "$@"; expect [ "$(said)" = 0 ]; }

another_library_has_races_between_puts_told() {
  program racy 'if (me != 1) shmem_long_p(&x, me, 1);
  if (me == 0) { shmem_long_put(heap, y, 10, 1);
    shmem_long_put(heap + 9, y, 10, 1); }'
  expect_status 66 checked 3 racy
  says '^atrium: race: PE [02] writes 8 bytes that PE [02] is putting: racy.c:11 and racy.c:11$'
  says '^  where  `x` of PE 1 \(static\)$'
  says '^  PE 0   shmem_long_put, 80 bytes +racy.c:12 in main; no fence or quiet since$'
  says '^  PE 0   shmem_long_put, 80 bytes +racy.c:13 in main$'
  says 'byte 72 of the block of 800 bytes from shmem_calloc, racy.c:9, on PE 1'
  program repaired 'if (me == 0) { shmem_long_put(heap, y, 10, 1); shmem_fence(); shmem_long_put(heap + 9, y, 10, 1); shmem_long_p(&x, me, 1); }
  shmem_barrier_all(); if (me == 2) shmem_long_p(&x, me, 1);'
  is_clean 3 repaired
}
another_library_has_races_of_loads_told() {
  instrumented racy 'if (me == 0) shmem_long_put(y, heap, 10, 1);
  else printf("%ld", y[3]);'
  expect_status 66 checked 2 racy
  says '^  PE 1   load, 8 bytes +racy.c:12 in main'
  says '^  PE 0   shmem_long_put, 80 bytes +racy.c:11 in main'
  instrumented repaired 'if (me == 0) shmem_long_put(y, heap, 10, 1); shmem_barrier_all();
  if (me == 1) { printf("%ld", y[3]); *(long *)shmem_ptr(heap, 0) = 2; }'
  is_clean 2 repaired
}
another_library_has_races_of_clang_s_programs_told() {
  need_clang
  instrumented racy 'if (me == 0) shmem_long_put(y, heap, 96, 1);
  else { long sum = 0; for (int i = 0; i < 96; i++) sum += y[i]; printf("%ld", sum); }' -O3
  expect_status 66 checked 2 racy
  says '^  PE 1   load, (8|16) bytes +racy.c:12 in main'; says '`y` of PE 1'
  instrumented repaired 'shmem_long_p(&x, 1, (me + 1) % n); shmem_long_wait_until(&x, SHMEM_CMP_EQ, 1); if (me == 0) shmem_long_put_nbi(y, heap, 9, 1);
  shmem_quiet(); shmem_barrier_all(); if (me == 1) printf("%ld", y[3]); heap[3] = 1;' -O3
  expect_status 0 checked 2 repaired
  expect [ "$(grep -c '^atrium: race: ' "$scratch/err")" = 0 ]
}
# With an argument it is right.
function cpp_program {
  cat >"$scratch/cells.cpp" <<'END'
#include <shmem.h>
#include <cstdio>
#include <numeric>
struct Cell { long value; int kind; };
namespace grid { static Cell cells[64]; }
template <class T> void send(T *to, const T *from, int pe) { shmem_putmem(to, from, 64 * sizeof(T), pe); }
int main(int count, char **) {
  shmem_init();
  static Cell mine[64];
  if (shmem_my_pe() == 0) send(grid::cells, mine, 1);
  if (count > 1) shmem_barrier_all();
  if (shmem_my_pe() == 1) {
    auto add = [](long sum, const Cell &cell) { return sum + cell.value; };
    std::printf("%ld\n", std::accumulate(grid::cells, grid::cells + 64, 0L, add));
  }
  shmem_barrier_all();
  shmem_finalize();
}
END
}
another_library_has_races_of_cpp_programs_told() {
  need_the_library; cpp_program
  instrumented_by oshc++ cells.cpp -O2
  expect_status 66 checked 2 cells
  says '^  PE 0   shmem_putmem, 1,024 bytes +cells.cpp:6 in send<Cell>'
  says '^  PE 1   load, 8 bytes +cells.cpp:13 in '; says '`grid::cells` of PE 1'
  is_clean 2 cells repaired
}
another_library_has_races_of_clang_s_cpp_programs_told() {
  need_the_library; need_clang; cpp_program
  instrumented_by oshc++ cells.cpp -O2
  expect_status 66 checked 2 cells; says '^  PE 1   load, 8 bytes +cells.cpp:13 in '
  is_clean 2 cells repaired
}
# Its own Fortran interface, where it has one, calls no routine that is seen: see race/README.md.
another_library_has_races_of_fortran_programs_told() {
  need_the_library
  command -v gfortran >/dev/null || skip "there is no gfortran"
  cat >"$scratch/rows.f90" <<'END'
module openshmem
  use iso_c_binding
  interface
    subroutine shmem_init() bind(C)
    end subroutine
    subroutine shmem_finalize() bind(C)
    end subroutine
    subroutine shmem_barrier_all() bind(C)
    end subroutine
    integer(c_int) function shmem_my_pe() bind(C)
      import c_int
    end function
    subroutine shmem_long_put(to, from, n, pe) bind(C)
      import c_long, c_size_t, c_int
      integer(c_long) :: to(*), from(*)
      integer(c_size_t), value :: n
      integer(c_int), value :: pe
    end subroutine
  end interface
end module
program rows
  use openshmem
  integer(c_long), save :: row(100)
  integer(c_long) :: mine(100) = 1
  call shmem_init()
  if (shmem_my_pe() == 0) call shmem_long_put(row, mine, 100_c_size_t, 1)
  if (command_argument_count() > 0) call shmem_barrier_all()
  if (shmem_my_pe() == 1) print *, sum(row)
  call shmem_barrier_all()
  call shmem_finalize()
end program
END
  instrumented_by oshfort rows.f90 -O2 "-J$scratch"
  expect_status 66 checked 2 rows
  says '^  PE 1   load, 8 bytes +rows.f90:28 in rows'; says '^  PE 0   shmem_long_put, 800 bytes +rows.f90:26 in rows'; says '`row` of PE 1'
  is_clean 2 rows repaired
}
# By one compiler, whose OpenMP is a package of its own.
function openmp_programs_are_judged {
  need_the_library
  command -v "$1" >/dev/null || skip "$1 is not installed"
  echo 'int main(void) { return 0; }' | "$1" -fopenmp -x c - -o "$scratch/openmp" 2>/dev/null || skip "$1 has no OpenMP"
  local sections='int got; _Pragma("omp parallel sections num_threads(2)") {
    _Pragma("omp section") { if (me == 0) shmem_long_p(&x, 1, 1); }
    _Pragma("omp section") { if (me == 0) shmem_long_p(&OTHER, 2, 1); } } (void)got;'
  local tasks='_Pragma("omp parallel") _Pragma("omp single") { _Pragma("omp task") y[7] = me; WAIT
    y[7] += 1; } if (y[7] == 9) printf("%ld", y[7]);'
  export OSHMEM_CC=$1 OSHCC_CC=$1
  function of_threads { # NAME BODY
    instrumented "$1" "$2" -fopenmp
    sed -i 's/shmem_init()/int level; shmem_init_thread(SHMEM_THREAD_MULTIPLE, \&level)/' "$scratch/$1.c"
    instrumented_by oshcc "$1.c" -fopenmp
  }
  of_threads racy "${sections/OTHER/x} ${tasks/WAIT/}"
  expect_status 66 checked 2 racy
  says 'race: PE 0 writes 8 bytes that it is putting: racy.c:1[23] and racy.c:1[23]'; says 'race: PE [01] .*: racy.c:1[34] and racy.c:1[345]'
  of_threads repaired "${sections/OTHER/y[0]} ${tasks/WAIT/_Pragma(\"omp taskwait\")}"
  is_clean 2 repaired
}
another_library_has_races_of_openmp_programs_told() { openmp_programs_are_judged gcc; }
another_library_has_races_of_clang_s_openmp_programs_told() { openmp_programs_are_judged clang; }
another_library_s_active_sets_order_their_members() {
  local before='if (me == 1) shmem_long_put(heap, y, 10, 0);'
  local after='if (me == 0) printf("%ld", heap[3]);'
  instrumented repaired "$before if (me < 2) shmem_barrier(0, 0, 2, sync_words); $after"'
  y[0] = me; shmem_long_sum_to_all(y + 1, y, 1, 0, 0, n, work, reduce_words); if (y[1] == 3) y[0] = 7;'
  is_clean 3 repaired
  instrumented racy "$before if (me > 0) shmem_barrier(1, 0, 2, sync_words); $after"
  expect_status 66 checked 3 racy
  says 'race: PE [01] (loads|writes)'
}
# What is asked of static memory, its PE does in calls, also while it waits for the check's own locks. A lock's words are
# the library's, and so are its accesses to them.
another_library_goes_on_while_the_check_waits() {
  program busy 'for (int i = 0; i < 300; i++) shmem_long_atomic_add(&x, 1, i % n);
  for (int i = 0; i < 100; i++) (void)shmem_long_atomic_fetch_inc(&x, i % n);
  for (int i = 0; i < 20; i++) { shmem_set_lock(&lock); shmem_long_p(y, shmem_long_g(y, 0) + 1, 0); shmem_clear_lock(&lock); }
  shmem_barrier_all(); if (me == 0) printf("%ld %ld\n", x, y[0]);'
  is_clean 4 busy
  expect [ "$(cat "$scratch/out")" = "400 80" ]
}
another_library_without_shared_memory_is_refused() {
  program racy 'if (me != 1) shmem_long_p(&x, me, 1);'
  transports=tcp,self expect_status 1 checked 3 racy
  says '^atrium: race check: cannot be made: shmem_ptr leads to no memory of PE 1, as for one on another node'
  expect [ "$(said)" = 1 ]
}
