#!/bin/bash
# Repeats suites until one fails: tests/repeat.sh BUILD [TIMES [SUITES]], e.g. tests/repeat.sh build 300 'litmus|stress'.
# TEST_ROUNDS=20 makes each run longer; TEST_SEED=n repeats the random programs of one failure.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail

build=${1:?the build folder}
times=${2:-300}
suites=${3:-litmus|stress}

exec ctest --test-dir "$build" -L "^($suites)\$" --repeat until-fail:"$times" --stop-on-failure --output-on-failure
