# Routines that have no place to write their answer to; a null pointer can only be a mistake, so that no check is needed.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

function refused { expect_status 1 oshrun -n 2 "$RESULTS" "$1"; expect grep -q "${2:-$1} is a null pointer" "$scratch/err"; }

an_answer_without_a_place_is_refused() {
  refused initialized; refused provided; refused thread_level provided; refused version major; refused name
  refused config; refused new_team; refused yaxis_team; refused ctx; refused team_ctx ctx; refused team
}
an_answer_that_was_not_asked_for_needs_no_place() { expect_status 0 oshrun -n 2 "$RESULTS" none_of_config; }
