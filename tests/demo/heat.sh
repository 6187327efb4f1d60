# What the demo's tests share: a folder that goes away, and how to run heat.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# heat PES [ARGUMENT...]
heat() {
  local pes=$1
  shift
  timeout 60 "$OSHRUN" -n "$pes" "$HEAT" "$@"
}

give_up() {
  echo "$*"
  exit 1
}
