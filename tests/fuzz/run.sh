#!/bin/bash
# Runs a fuzzer over its corpus, then on for FUZZ_SECONDS: run.sh PROGRAM CORPUS [BYTES of the longest input]
# In continuous integration each has the same seed: what fails there, fails again.
# SPDX-License-Identifier: BSD-3-Clause
set -u
program=$1 corpus=$2 longest=${3:-400} seconds=${FUZZ_SECONDS:-5} seed=${CI:+1}
[ -x "$program" ] || { echo "clang++ with its fuzzer is not installed (clang, libclang-rt-dev)" && exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/new"

# The whole corpus once, however long that takes: what was repaired stays so.
"$program" -runs=0 -rss_limit_mb=2048 -timeout=60 -artifact_prefix="$scratch/" "$corpus" >"$scratch/log" 2>&1 &&
  "$program" -max_total_time="$seconds" -seed="${seed:-0}" -max_len="$longest" -rss_limit_mb=2048 -timeout=60 -artifact_prefix="$scratch/" \
    "$scratch/new" "$corpus" >>"$scratch/log" 2>&1 && { grep -E '^Done' "$scratch/log"; exit 0; }
grep -vE 'NEW|pulse|REDUCE|RELOAD|^INFO' "$scratch/log" | tail -40
for input in "$scratch"/{crash,leak,oom,timeout}-*; do
  [ ! -e "$input" ] || echo "the input, to keep as $corpus/NAME: $(base64 -w0 "$input")"
done
exit 1
