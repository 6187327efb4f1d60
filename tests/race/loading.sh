# Which programs are checked, by how they come by the checker and the library, and what the others are told.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name
. "$SOURCE_TREE/tests/race/programs.sh"

the_check_leaks_nothing() {
  write_program 'shmem_long_put(y, heap, 10, (me + 1) % n); shmem_barrier_all(); shmem_long_get_nbi(heap, y, 10, (me + 1) % n); shmem_quiet(); shmem_free(heap);'
  "$BUILD_TREE/bin/oshcc" -fsanitize=leak "$scratch/p.c" -o "$scratch/p" || { echo "no sanitizer"; return 77; }
  expect_status 0 checked -n 2 "$scratch/p"; expect [ ! -s "$scratch/err" ]
}
an_instrumented_program_runs_without_the_check_and_says_how_to_see() {
  write_program 'if (me == 0) x = 3;'; compile -O1 -fatrium-race
  expect_status 0 oshrun -n 2 "$scratch/p"
  says 'oshrun --check=races'
  expect [ "$(wc -l <"$scratch/err")" = 1 ]
}
# The loader then looks for every name before the program starts, and finds those of OpenSHMEM in none of these.
programs_without_openshmem_start_when_all_names_are_looked_up() {
  write_program 'if (me != 1) shmem_long_p(&x, me, 1);'; compile -O1
  LD_BIND_NOW=1 expect_status 66 checked -n 3 sh -c "true; exec '$scratch/p'"; says 'race: PE [02] writes 8 bytes'
  expect [ "$(grep -c 'symbol' "$scratch/err")" = 0 ]
}
# A call of the library, by a slot, takes twice as long as one within the program. A library has a short way of its own if oshcc has
# linked it, and else calls that of the checker.
the_short_way_of_loads_is_part_of_what_oshcc_links() {
  has_sanitizers && skip "a program without sanitizers cannot load a library with them"
  export OSHCC_CC=gcc
  printf 'long *at;\nlong use(void) {\n return *at; }\n' >"$scratch/use.c"
  "$BUILD_TREE/bin/oshcc" -g -O1 -fatrium-race -shared -fPIC "$scratch/use.c" -o "$scratch/libours.so" || skip "gcc is missing"
  gcc -g -O1 -fsanitize=thread -shared -fPIC -nostdlib "$scratch/use.c" -o "$scratch/libother.so"
  write_program 'extern long *at; long use(void); at = y; if (me == 0) shmem_long_put(y, heap, 10, 1); else printf("%ld %ld", use(), y[7]);'
  local library
  for library in ours other; do
    compile -O1 -fatrium-race "$scratch/lib$library.so" -Wl,-rpath,"$scratch"
    objdump -d "$scratch/p" "$scratch/libours.so" >"$scratch/code"
    expect [ "$(grep -cE 'call.* <__tsan_read8>$' "$scratch/code")" -ge 2 ]
    expect [ -z "$(grep -E 'call.*__tsan_read8@' "$scratch/code")" ]
    expect_status 66 checked -n 2 "$scratch/p"
    says 'PE 1 +load, 8 bytes +use.c:3 in use'; says 'PE 1 +load, 8 bytes +p.c:12 in main'
  done
}
# A module of Python does that, too.
a_library_that_the_program_opens_is_to_be_preloaded() {
  write_program 'if (me != 1) shmem_long_p(heap, me, 1);'; sed -i 's/int main(void)/int use(void)/' "$scratch/p.c"
  compile -shared -fPIC; mv "$scratch/p" "$scratch/opened.so"
  printf '#include <dlfcn.h>\nint main(void) { return ((int (*)(void))dlsym(dlopen("%s", RTLD_NOW | RTLD_LOCAL), "use"))(); }\n' "$scratch/opened.so" >"$scratch/p.c"
  compile -O1 -ldl
  expect_status 1 checked -n 1 "$scratch/p"; says '^  because: the program opened it when it ran'
  expect_status 66 checked -x LD_PRELOAD="$BUILD_TREE/lib/libatrium.so.1" -n 3 "$scratch/p"; says 'race: PE [02] writes 8 bytes'
}
a_program_with_part_of_the_static_library_is_refused() {
  has_sanitizers && skip "a program without sanitizers cannot load a library with them"
  write_program 'shmem_long_p(&x, me, 0);'
  cc -DATRIUM_NO_INLINE "-I$SOURCE_TREE/include" "$scratch/p.c" -o "$scratch/p" "-L$BUILD_TREE/lib" "-Wl,-rpath,$BUILD_TREE/lib" -latrium-race \
    "$BUILD_TREE/lib/libatrium.a" -lstdc++ -lpthread -ldl -lrt || complain "it does not link"
  expect_status 1 checked -n 2 "$scratch/p"; says '^  because: the program is linked with the static library'
}
# Other libraries' Fortran interfaces lie in them and call what nobody sees; here a library of that shape is made of ours.
an_interface_within_the_library_is_refused() {
  has_sanitizers && skip "a program without sanitizers cannot load a library with them"
  printf '#include <shmem.h>\nvoid start_(void) { shmem_init(); }\n' >"$scratch/start.c"
  cc -shared -fPIC "-I$SOURCE_TREE/include" "$scratch/start.c" -Wl,--whole-archive "$BUILD_TREE/lib/libatrium.a" -Wl,--no-whole-archive \
    -o "$scratch/libother.so" -lstdc++ -lpthread -ldl -lrt || complain "it does not link"
  write_program 'if (me != 1) shmem_long_p(&x, me, 1);'; sed -i 's/^int main/void start_(void); &/; s/shmem_init();/start_();/' "$scratch/p.c"
  cc -DATRIUM_NO_INLINE "-I$SOURCE_TREE/include" "$scratch/p.c" -o "$scratch/p" "$scratch/libother.so" || complain "it does not link"
  expect_status 1 checked -n 3 "$scratch/p"
  says '^atrium: race check: cannot be made: the calls of a Fortran interface'; expect [ "$(grep -c 'race check' "$scratch/err")" = 1 ]
}
a_job_on_several_nodes_is_refused() {
  write_program 'if (me != 1) shmem_long_p(&x, me, 1);'; compile -O1
  expect_status 1 checked --nodes 2 -n 2 "$scratch/p"
  says '^atrium: race check: cannot be made: shmem_ptr leads to no memory of PE'
}
a_job_whose_shadow_has_no_room_is_refused() {
  has_sanitizers && skip "a sanitizer needs more address space than is left"
  write_program 'if (me != 1) shmem_long_p(&x, me, 1);'; compile -O1
  expect_status 1 checked -n 2 bash -c 'ulimit -v 4000000; exec "$0"' "$scratch/p"
  says '^atrium: race check: cannot be made: '
}
# The others learn of it in the same barriers.
a_job_of_which_one_pe_has_no_room_is_refused() {
  write_program 'if (me != 1) shmem_long_p(&x, me, 1);'; compile -O1
  expect_status 1 checked -n 3 bash -c '[ "$ATRIUM_JOB_PE" != 1 ] || ulimit -f 100000; exec "$0"' "$scratch/p"
  says '^atrium: race check: cannot be made: no memory for the shadow: File too large'
  expect [ "$(grep -c 'cannot be made' "$scratch/err")" = 1 ]
}
# It has no interpreter of its own either. Behind it, a program lies where the shadow leaves no room for the arenas.
the_loader_before_a_program_is_not_taken_for_a_static_one() {
  write_program ''; compile -O1
  local loader; loader=$(ldd "$scratch/p" | awk '/^\t\// { print $1; exit }'); [ -n "$loader" ] || skip "ldd names no loader"
  expect_status 1 checked -n 2 "$loader" "$scratch/p"
  expect [ "$(wc -l <"$scratch/err")" = 1 ]; says 'it is a loader or another shared object.*try the program itself'
}
a_static_program_is_refused_in_one_line() {
  write_program ''; "$BUILD_TREE/bin/oshcc" -static "$scratch/p.c" -o "$scratch/p" 2>/dev/null || skip "this compiler cannot link it"
  expect_status 1 checked -n 2 "$scratch/p"
  expect [ "$(wc -l <"$scratch/err")" = 1 ]; says static
}
a_program_with_another_sanitizer_is_refused_in_one_line() {
  for kind in address thread; do
    write_program ''; "$BUILD_TREE/bin/oshcc" -fsanitize=$kind "$scratch/p.c" -o "$scratch/p" 2>/dev/null || skip "this compiler cannot link it"
    expect_status 1 checked -n 2 "$scratch/p"
    expect [ "$(wc -l <"$scratch/err")" = 1 ]; says sanitizer
  done
}
