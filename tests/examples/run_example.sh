#!/usr/bin/env bash
# Runs an example and looks in its output for what its source "Says:", where "..." stands for anything.
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: run_example.sh SOURCE COMMAND [ARGUMENT...]
set -uo pipefail

source=$1
shift
expected=$(sed -n 's/^.*Says: *//p' "$source" | sed 's/ *\*\/$//; s/[][\.*^$+?(){}|]/\\&/g; s/\\\.\\\.\\\./.*/g')
[[ -n $expected ]] || { echo "$source has no line 'Says:'" && exit 1; }

output=$("$@" 2>&1)
status=$?
printf '%s\n' "$output"
[[ $status -eq 0 ]] || { echo "exit status $status" && exit 1; }
grep -qE "$expected" <<<"$output" || { echo "does not say: $expected" && exit 1; }
