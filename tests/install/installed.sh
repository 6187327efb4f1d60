# What the cases share. From the environment: PREFIX, where the installed tree lies, and SANITIZE.
# SPDX-License-Identifier: BSD-3-Clause
set -eo pipefail

sources=$SOURCE_TREE/tests/install
bin=$PREFIX/bin
work=$scratch
cd "$work"

# says WHAT COMMAND...: the command's output contains WHAT.
function says {
  local said
  said=$("${@:2}" 2>&1) || { echo "failed: ${*:2}: $said" && exit 1; }
  [[ $said == *"$1"* ]] || { echo "expected '$1' from ${*:2}, got: $said" && exit 1; }
}

function runs_on_two_pes {
  local said
  said=$(timeout 60 "$bin/oshrun" -n 2 "$@")
  [[ $(grep -c 'is good' <<<"$said") -eq 2 ]] || { echo "$* said: $said" && exit 1; }
}
