# Options, masks and levels that the specification does not name.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

function accepted { local way=$1 value; shift; for value; do expect_status 0 oshrun --check -n 2 "$OPTIONS" "$way" "$value"; done; }
# refused WAY ARGUMENT VALUE
function refused {
  expect_status 1 oshrun --check -n 2 "$OPTIONS" "$1" "$3"
  expect grep -q "$2 has no meaning" "$scratch/err"; expect grep -q "its value is $3" "$scratch/err"
}

options_of_contexts_are_known_ones() { accepted context 0 1 2 4 7; refused context options 8; refused context options -1; }
masks_of_teams_are_known_ones() { accepted mask 0 1; accepted mask_2d 0 1; refused mask config_mask 2; refused mask_2d config_mask 3; }
a_mask_selects_from_something() { accepted null 0; refused null config_mask 1; }
a_team_has_no_negative_number_of_contexts() { accepted count 0; expect_status 1 oshrun --check -n 2 "$OPTIONS" count 1; expect grep -q 'num_contexts has no meaning' "$scratch/err"; }
hints_are_known_ones() { accepted hints 0 1 3 $((1 << 24)); expect [ ! -s "$scratch/err" ]; }
a_hint_that_cannot_be_followed_is_told() {
  [ "$(cat /sys/devices/system/node/online 2>/dev/null || echo 0)" = 0 ] || skip "this machine has several memory nodes"
  accepted hints $((1 << 25)); expect grep -q 'warning: .*cannot place a block as it is hinted: .*no memory that is faster' "$scratch/err"
}
unknown_hints_are_ignored_with_a_warning() { accepted hints 4; expect grep -q 'warning: .*hints that it does not know: 4' "$scratch/err"; }
levels_of_threads_are_the_four() { accepted thread 0 3; refused thread requested 4; refused thread requested -1; }
# The specification lets a library answer as it likes; a program may try options out.
without_checks_they_are_answered() {
  expect_status 3 oshrun -n 1 "$OPTIONS" thread 4
  expect_status 0 oshrun -n 2 "$OPTIONS" context 8; expect_status 0 oshrun -n 2 "$OPTIONS" mask 2; expect_status 0 oshrun -n 2 "$OPTIONS" hints 4
}
