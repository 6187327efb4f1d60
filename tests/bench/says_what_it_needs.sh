#!/bin/bash
# A program of bench/ that was started with too few PEs ends with status 1 and says how many it needs.
# SPDX-License-Identifier: BSD-3-Clause
set -uo pipefail
output=$("$@" 2>&1)
status=$?
[[ $status -eq 1 && $output == *"with at least 2 PEs"* ]] || {
  echo "status $status, output: $output"
  exit 1
}
