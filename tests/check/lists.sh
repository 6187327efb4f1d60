# Null pointers and lists of PEs, values and indices; and what all members of a collect bring.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

function refused { expect_status 1 oshrun --check -n 2 "$LISTS" "$1"; expect grep -q "$2" "$scratch/err"; }

lists_of_nothing_and_of_enough_are_accepted() {
  for way in none whole; do expect_status 0 oshrun --check -n 2 "$LISTS" $way; expect [ ! -s "$scratch/err" ]; done
}
a_quiet_with_a_pe_that_does_not_exist_is_refused() { refused pes 'PE number 2 does not exist'; }
lists_that_are_not_there_are_refused() { for list in target_pes indices cmp_values fetch; do refused $list "$list is a null pointer"; done; }
a_collect_of_more_than_dest_has_is_refused() { refused collect '`dest` has 128 bytes, and 128 bytes are wanted from its byte 8 on'; }
a_collect_of_more_than_dest_has_is_refused_between_nodes() {
  expect_status 1 oshrun --check --nodes 2 -n 2 "$LISTS" collect
  expect grep -q '`dest` has 128 bytes, and 128 bytes are wanted from its byte 8 on' "$scratch/err"
}
