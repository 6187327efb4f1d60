#!/usr/bin/env bash
# Uneven blocks, fewer cells than PEs, a single cell: always the serial result, to the last bit.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck source=/dev/null
source "$(dirname "$0")/heat.sh"

for pes in 1 2 3 4 7; do
  for size in 61x47 5x40 2x3 1x1; do
    output=$(heat "$pes" --size "$size" --steps 60 2>&1) || give_up "$pes PEs, $size: $output"
    grep -q "equal to a serial run" <<<"$output" || give_up "$pes PEs, $size: no word of the check: $output"
    grep -q "communication" <<<"$output" || give_up "$pes PEs, $size: no word of communication: $output"
  done
done
