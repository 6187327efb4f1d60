#!/usr/bin/env bash
# Where others take the CPUs, a speed-up would be a figure of theirs: none is told, and it is said why.
# SPDX-License-Identifier: BSD-3-Clause
source "$(dirname -- "$0")/heat.sh"

spinners=()
for ((i = 0; i < 2 * $(nproc --all); i++)); do
  timeout 100 sh -c 'while :; do :; done' &
  spinners+=($!)
done
trap 'kill "${spinners[@]}"; rm -rf "$folder"' EXIT
heat 2 --steps 300 >said || give_up "it failed: $(cat said)"
grep -q 'speed  *not told: others took [0-9.]* CPU seconds' said || give_up "others are not told of: $(cat said)"
! grep -q 'speed-up' said || give_up "a speed-up is told: $(cat said)"
grep -q 'check  *equal to a serial run' said || give_up "no check: $(cat said)"
