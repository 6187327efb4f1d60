#!/usr/bin/env bash
# Runs one case of a script: `run_case.sh SCRIPT CASE`. Some cases call ./atrium, some the functions of tools/door/.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
unset TEST_MACHINE

atrium_root=$SOURCE_TREE
sample=$SOURCE_TREE/tests/door/ctest_output.txt
source "$atrium_root/tools/door/say.sh"
source "$atrium_root/tools/door/test.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# says WHAT STATUS COMMAND...
says() {
  local said status=0
  said=$("${@:3}" 2>&1) || status=$?
  [[ $status -eq $2 && $said == *"$1"* ]] || { echo "wanted '$1' and status $2; status $status: $said" && exit 1; }
}

source "$1"
"$2"
