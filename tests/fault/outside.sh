# PE numbers and contexts so wrong that inlined code faults, with ATRIUM_CHECK=1; and faults that are not ours.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

# refused WAY PE: the job ends with the message that any wrong number gets.
function refused {
  ATRIUM_CHECK=1 expect_status 1 oshrun -n 2 "$OUTSIDE" "$1" "$2"
  expect grep -q "PE number $2 does not exist" "$scratch/err"
  expect grep -q 'try: *a number from 0 to 1' "$scratch/err"
}
# crashes OPTIONS... WAY PE: with the status of signal 11.
function crashes { ATRIUM_CHECK=1 expect_status 139 oshrun -n 1 "${@:1:$#-2}" "$OUTSIDE" "${@: -2}"; }

a_pe_far_outside_is_refused() { refused put 1000; refused put -1000; refused put 2147483647; refused put -2147483648; }
a_pe_far_outside_a_team_is_refused() { refused team 1000; refused team -1000; refused team 2147483647; refused team -2147483648; }
a_pointer_to_a_pe_far_outside_is_null() {
  for pe in 100000 -100000; do ATRIUM_CHECK=1 expect_status 0 oshrun -n 1 "$OUTSIDE" ptr $pe; expect grep -q nobody "$scratch/out"; done
}
a_pe_outside_is_refused_where_addresses_are_few() {
  has_sanitizers && skip "sanitizers need more addresses"
  ulimit -v 4000000; refused put 1000; refused put 100000; refused put -1; refused put -30000
}
# Where libraries begin right below the stack, 32 GiB from there is no address at all: with randomization in 1 of 50 runs.
a_pe_outside_is_refused_without_randomization() {
  has_sanitizers && skip "sanitizers need more addresses"
  setarch -R true 2> /dev/null || skip "address space randomization cannot be switched off here"
  function oshrun { setarch -R "$BUILD_TREE/bin/oshrun" "$@"; }
  ulimit -v 4000000; refused put -1
}
# Without checks, too: the usual slip.
a_number_of_the_world_is_refused_on_a_smaller_team() {
  expect_status 1 oshrun -n 3 "$OUTSIDE" alone 2
  expect grep -q 'PE number 2 does not exist' "$scratch/err"; expect grep -q 'team has 1 PE$' "$scratch/err"
  expect_status 1 oshrun -n 1 "$OUTSIDE" team 400; expect grep -q 'PE number 400 does not exist' "$scratch/err"
}
an_invalid_context_is_mentioned() { is_instrumented && skip "with sanitizers arguments are checked"; mistakes_may_happen; crashes context 0; expect grep -q 'SHMEM_CTX_INVALID' "$scratch/err"; }
an_invalid_context_is_refused_where_lines_are_known() {
  is_instrumented && skip "a sanitizer tells a crash in its own way"
  needs_lines
  expect_status 1 oshrun --check -n 2 "$WITH_LINES" context 0; expect grep -q 'the context is not valid' "$scratch/err"
  expect grep -q 'while: *shmem_ctx_long_p, called from outside.c:[0-9]* in main' "$scratch/err"
  OUTSIDE=$WITH_LINES crashes null 0
}
a_fault_of_the_program_ends_it_as_ever() {
  crashes null 8; expect [ "$(grep -c 'note:' "$scratch/err")" = 0 ]; crashes sent 0
  expect grep -q 'was ended by signal 11' "$scratch/err"
}
a_fault_of_the_program_is_traced() { has_sanitizers && skip "a sanitizer tells a crash in its own way"; crashes --backtrace null 8; expect grep -q 'signal 11 at address 0x8; back trace' "$scratch/err"; }
a_handler_of_the_program_is_called() { ATRIUM_CHECK=1 expect_status 7 oshrun -n 1 "$OUTSIDE" handled 8; expect grep -q 'own handler' "$scratch/out"; }
# The fault may be one that it repairs, as garbage collectors and just-in-time compilers do.
a_handler_of_the_program_is_called_where_stacks_are_small() {
  has_sanitizers && skip "a sanitizer's handler needs more"
  expect_status 7 oshrun -n 2 "$OUTSIDE" small 8; expect grep -q 'own handler' "$scratch/out"
  expect_status 7 oshrun -n 2 "$OUTSIDE" small 1000000; expect grep -q 'own handler' "$scratch/out"
}
a_fault_has_its_place_where_stacks_are_small() {
  has_sanitizers && skip "a sanitizer tells a crash in its own way"
  needs_lines
  expect_status 139 oshrun -n 2 "$WITH_LINES" tiny 8; expect grep -q ': signal 11 at address 0x8, at outside.c:[0-9]* in main$' "$scratch/err"
}
# The runtime of Rust, for one, gives each thread 8 KiB before main().
a_stray_put_is_refused_where_stacks_are_small() {
  has_sanitizers && skip "a sanitizer's handler needs more"
  needs_lines
  for way in stray 'late stray' 'tiny stray' 'thread stray'; do
    expect_status 1 oshrun -n 2 "$WITH_LINES" "$way" 1; expect grep -qE 'is (a block|memory) from malloc.*, of which PE 1 has no copy' "$scratch/err"
    expect grep -q 'while: *shmem_putmem, called from outside.c:[0-9]* in ' "$scratch/err"
  done
}
without_checks_the_launcher_advises_them() {
  expect_status 139 oshrun -n 2 "$OUTSIDE" put 1000; expect grep -q 'try: *oshrun --check' "$scratch/err"
  expect_status 139 oshrun --check -n 2 "$OUTSIDE" null 8; expect grep -q 'try: *compiling with -DATRIUM_NO_INLINE' "$scratch/err"
}
# AddressSanitizer warns of whoever leaves a stack by makecontext(), as the explanation of a fault does on a small one.
a_program_with_a_sanitizer_reads_no_warnings_of_it() {
  has_sanitizers && skip "a sanitizer's handler needs more"
  "$BUILD_TREE/bin/oshcc" -g -fsanitize=address -DATRIUM_NO_INLINE "$SOURCE_TREE/tests/fault/outside.c" -o "$scratch/own" -pthread 2>/dev/null || skip "no sanitizer"
  without_leak_check expect_status 0 oshrun -n 2 "$scratch/own" ptr 0; expect [ ! -s "$scratch/err" ]
  without_leak_check expect_status 1 oshrun --check -n 1 "$scratch/own" context 0
  expect grep -q 'called from outside.c:' "$scratch/err"; expect [ "$(grep -c WARNING "$scratch/err")" = 0 ]
}
