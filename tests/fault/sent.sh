# Addresses that one PE sends to another: what is the same on all, and what is said of the others.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

function needs_randomization {
  has_sanitizers && skip "a sanitizer's handler is met, or its address space is narrow"
  [ "$(cat /proc/sys/kernel/randomize_va_space)" = 2 ] || skip "addresses are not randomized here"
  setarch -R true 2>/dev/null || skip "address space randomization cannot be switched off here"
}
# told WHAT WORDS: the crash is told as one of an address of PE 1.
function told {
  expect_status 139 oshrun -n 2 "$SENT" "$1"; expect grep -q "is an address of PE 1: $2" "$scratch/err"
  expect grep -q 'try oshrun --same-addresses' "$scratch/err"; expect grep -q 'signal 11' "$scratch/err"
}

an_address_of_another_pe_is_told_as_one() {
  needs_randomization
  told code 'code of its program'; told data 'its symmetric memory'; told block 'a block from malloc'
}
with_the_same_addresses_they_mean_the_same() {
  needs_randomization
  for what in code data; do
    expect_status 0 oshrun --same-addresses -n 2 "$SENT" $what; expect grep -qx 'the same' "$scratch/out"
  done
}
the_heap_has_one_address_on_all_pes() {
  has_sanitizers && skip "a sanitizer's address space is narrow"
  for options in '-n 2' '-n 2 --nodes 2'; do
    # shellcheck disable=SC2086
    for program in "$SENT" "$SENT_FIXED"; do expect_status 0 oshrun $options "$program" heap; expect grep -qx 'the same' "$scratch/out"; done
  done
}
addresses_that_cannot_be_fixed_are_refused() {
  command -v python3 >/dev/null || skip "python3 is not installed"
  python3 "$SOURCE_TREE/tests/fault/without_call.py" personality true 2>/dev/null || skip "seccomp filters cannot be set here"
  function oshrun { python3 "$SOURCE_TREE/tests/fault/without_call.py" personality "$BUILD_TREE/bin/oshrun" "$@"; }
  expect_status 1 oshrun --same-addresses -n 2 true
  expect grep -q 'cannot start the PEs at the same addresses' "$scratch/err"; expect grep -q 'try a container that allows it' "$scratch/err"
}
