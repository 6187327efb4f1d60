#!/bin/bash
# A program of bench/ ends well and prints only lines of measure, bytes, value, unit, none of them twice.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
output=$("$@")
awk -F'\t' '
  NF != 4 || $1 !~ /^[a-z][A-Za-z0-9_. ]*( \[[a-z0-9 ]+\])?$/ || $2 !~ /^[0-9]+$/ || $3 !~ /^[0-9.e+-]+$/ || $3 <= 0 ||
  $4 !~ /^[A-Za-z]+(\/s)?$/ || seen[$1, $2]++ { print "not well formed: " $0; bad = 1 }
  END { if (NR == 0) print "it printed nothing"; exit bad || NR == 0 }' <<<"$output"
