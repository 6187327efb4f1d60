# What else --check finds: collectives that differ, with both lines, and what is not given back.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

function line_of { echo "leaks.c:$(grep -nF -- "$1" "$SOURCE_TREE/tests/deadlock/leaks.c" | head -1 | cut -d: -f1) in main"; }

leaks_on_all_pes_are_told_once() {
  needs_lines
  expect_status 0 oshrun --check -n 3 "$LEAKS" all
  expect grep -qx "atrium: leak: 3 blocks of the symmetric heap, 6,000 bytes, without shmem_free ($(line_of '= shmem_malloc(2000)'))" "$scratch/err"
  expect grep -qx "atrium: leak: 1 block of the symmetric heap, 5,000 bytes, without shmem_free ($(line_of 'shmem_realloc(moved'))" "$scratch/err"
  expect grep -qx "atrium: leak: 1 team, without shmem_team_destroy ($(line_of 'shmem_team_split_strided'))" "$scratch/err"
  expect grep -qx "atrium: leak: 1 context, without shmem_ctx_destroy ($(line_of 'shmem_team_create_ctx'))" "$scratch/err"
  expect grep -qx "atrium: leak: 1 context, without shmem_ctx_destroy ($(line_of 'shmem_ctx_create'))" "$scratch/err"
  expect [ "$(wc -l <"$scratch/err")" = 5 ]  # and the context of the team
}
a_leak_of_one_pe_names_it() {
  expect_status 0 oshrun --check=leaks -n 3 "$LEAKS" one
  expect grep -q "^atrium: leak: PE 1: 1 context, without shmem_ctx_destroy" "$scratch/err"; expect [ "$(wc -l <"$scratch/err")" = 1 ]
}
what_is_given_back_is_no_leak() { expect_status 0 oshrun --check -n 2 "$LEAKS" clean; expect [ ! -s "$scratch/err" ]; }
without_check_nothing_is_said_of_leaks() { expect_status 0 oshrun -n 2 "$LEAKS" all; expect [ ! -s "$scratch/err" ]; }

collectives_that_differ_are_told_with_both_lines() {
  needs_lines
  printf '%s\n' '#include <shmem.h>' 'static long x, y;' 'int main(void) {' '  shmem_init();' '  if (shmem_my_pe() == 0)' \
    '    shmem_long_broadcast(SHMEM_TEAM_WORLD, &x, &y, 1, 0);' '  else' '    shmem_long_broadcast(SHMEM_TEAM_WORLD, &x, &y, 1, 1);' \
    '  shmem_finalize();' '}' >"$scratch/differ.c"
  "$BUILD_TREE/bin/oshcc" -g "$scratch/differ.c" -o "$scratch/differ"
  expect_status 1 oshrun --check -n 3 "$scratch/differ"
  expect grep -q 'here it is a broadcast of 8 bytes from PE 1 of the team (differ.c:8 in main)' "$scratch/err"
  expect grep -q "on the team's PE 0 a broadcast of 8 bytes from PE 0 of the team (differ.c:6 in main)" "$scratch/err"
}
refusals_name_the_line_of_the_call() {
  needs_lines
  printf '%s\n' '#include <shmem.h>' 'static long x;' 'static void helper(int pe) {' '  shmem_long_p(&x, 1, pe);' '}' 'int main(int argc, char **argv) {' \
    '  (void)argv;' '  shmem_init();' '  if (argc > 1) helper(9);' '  void *block = shmem_malloc(64);' '  shmem_free(block);' '  shmem_free(block);' '}' >"$scratch/wrong.c"
  "$BUILD_TREE/bin/oshcc" -g "$scratch/wrong.c" -o "$scratch/wrong"
  expect_status 1 oshrun --check -n 1 "$scratch/wrong" pe; expect grep -q 'while: .*shmem_long_p, called from wrong.c:4 in helper$' "$scratch/err"
  expect_status 1 oshrun -n 1 "$scratch/wrong"; expect grep -q 'while: .*shmem_free, called from wrong.c:12 in main$' "$scratch/err"
  strip -g "$scratch/wrong"
  expect_status 1 oshrun -n 1 "$scratch/wrong"; expect grep -q 'while: .*shmem_free, called from main of wrong$' "$scratch/err"
  strip "$scratch/wrong"
  expect_status 1 oshrun -n 1 "$scratch/wrong"; expect grep -q 'while: .*shmem_free, called from .*/wrong+0x' "$scratch/err"
}
overloads_of_cxx_have_the_line_of_the_program() {
  needs_lines
  printf '%s\n' '#include <shmem.h>' 'static long x[2], y[2];' 'int main(int argc, char **) {' '  shmem_init();' \
    '  shmem_put(x, y, argc, 9);' '  shmem_finalize();' '}' >"$scratch/wrong.cpp"
  local level
  for level in -O0 -O2; do
    "$BUILD_TREE/bin/oshc++" -g $level "$scratch/wrong.cpp" -o "$scratch/wrong"
    expect_status 1 oshrun --check -n 1 "$scratch/wrong"; expect grep -qE 'while: .*shmem_(long_)?put, called from wrong.cpp:5 in main$' "$scratch/err"
  done
}
