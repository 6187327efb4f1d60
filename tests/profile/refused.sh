# Programs that are not profiled, and what they are told.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317,SC2154
. "$SOURCE_TREE/tests/profile/programs.sh"

a_program_that_is_not_profiled_says_nothing() {
  write_program 'shmem_barrier_all();'; compile -O2
  expect_status 0 oshrun -n 2 "$scratch/p"
  expect [ ! -s "$scratch/err" ]
}
a_child_of_fork_records_nothing() {
  seen 'fflush(NULL); if (fork() == 0) { for (int i = 0; i < 9; ++i) shmem_test_lock(heap); _exit(0); } usleep(1000);'
  does_not_say 'in main, shmem_test_lock'
}
a_static_program_is_refused() {
  write_program ''; cc "-I$SOURCE_TREE/include" -static "$scratch/p.c" "$BUILD_TREE/lib/libatrium.a" -o "$scratch/p" \
    -lstdc++ -lpthread -ldl 2>"$scratch/err" || { echo "no static link here"; exit 77; }
  expect_status 1 profiled -n 1 ./p
  says "cannot profile '.*p': it is static.*; try to link it without -static"
  for option in --top --trace=run.json; do
    expect_status 1 in_scratch "$option" -n 1 ./p; says "oshrun: ${option%=*} cannot look into '.*p': it is static"
  done
}
a_program_with_the_static_library_is_told() {
  is_instrumented && skip "a sanitized library cannot be linked statically"
  write_program ''; cc "-I$SOURCE_TREE/include" "$scratch/p.c" "$BUILD_TREE/lib/libatrium.a" -o "$scratch/p" \
    -lstdc++ -lpthread -ldl || exit 1
  expect_status 0 profiled -n 2 ./p
  says 'nothing was recorded.*libatrium.a'
}
a_program_without_openshmem_is_told() {
  expect_status 0 profiled -n 2 true
  says 'profile of true: nothing was recorded'
}
a_program_with_a_sanitizer_is_refused() {
  write_program ''; "$BUILD_TREE/bin/oshcc" -fsanitize=address "$scratch/p.c" -o "$scratch/p" || { echo "no sanitizer"; exit 77; }
  expect_status 1 profiled -n 1 ./p
  says 'sanitizer of its own'
}
races_and_profile_do_not_go_together() {
  expect_status 2 profiled --check=races -n 1 true
  says 'cannot look for races and record in one run'
}
other_hosts_are_refused() {
  expect_status 2 profiled --hosts nowhere-1,nowhere-2 -n 2 true
  says 'record the PEs of one machine'
}
programs_without_openshmem_start_when_all_names_are_looked_up() {
  write_program ''; compile
  LD_BIND_NOW=1 expect_status 0 profiled -n 2 sh -c "true; exec '$scratch/p'"; expect [ "$(grep -c 'symbol lookup' "$scratch/err")" = 0 ]
}
a_small_stack_is_no_reason_to_crash() {
  write_program 'shmem_barrier_all();'; compile
  (ulimit -s 128; expect_status 0 profiled -n 2 ./p) || exit 1
  says 'p\.c:13'
}
