# The helper of the cases themselves.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

function run_case { expect_status "$1" bash "$SOURCE_TREE/tests/launch/run_case.sh" "$scratch/cases.sh" "$2"; }

what_fails_in_a_subshell_fails_the_case() {
  cat >"$scratch/cases.sh" <<'END'
function subshell { (expect false); true; }
function pipeline { echo x | { expect false; }; true; }
function substitution { local word; word=$(expect false); true; }
function fine { (expect true); true; }
END
  for part in subshell pipeline substitution; do run_case 1 $part; done
  run_case 0 fine
}
