# Builds everything and runs the suites one after the other: a line for each, what failed and why, one total.
# SPDX-License-Identifier: BSD-3-Clause
source "$atrium_root/tools/door/build.sh"

run_test() {
  local build=$atrium_root/build type=Release options=() wanted=()
  for argument in "$@"; do
    case $argument in
      --sanitize=address) build=$atrium_root/build-asan ;;
      --sanitize=undefined) build=$atrium_root/build-ubsan ;;
      -*) refuse "unknown option '$argument': try ./atrium --help" ;;
      *) wanted+=("$argument") ;;
    esac
    [[ $argument != --sanitize=* ]] || { type=RelWithDebInfo && options+=("-DATRIUM_SANITIZE=${argument#*=}"); }
  done
  need build
  want test
  build_targets "$build" "$type" all "${options[@]}"
  run_suites "$build" "${wanted[@]}"
}

# run_suites BUILD [SUITE...]: ends with the total, and fails when a test did.
run_suites() {
  local build=$1 suites suite passed=0 failed=0 skipped=0 counts
  shift
  mapfile -t suites < <(ctest --test-dir "$build" --print-labels | sed -n 's/^  *\([^ ]*\)$/\1/p')
  check_suites_exist "${suites[*]}" "$@"
  [[ $# -eq 0 ]] || suites=("$@")
  mkdir -p "$build/suites"
  for suite in "${suites[@]}"; do
    ctest --test-dir "$build" --label-regex "^$suite\$" --parallel "$(nproc)" --output-on-failure \
      --output-log "$build/suites/$suite.log" >/dev/null 2>&1 || true
    counts=$(count_results <"$build/suites/$suite.log")
    show_suite "$suite" "$counts" "$build"
    read -r p f s _ <<<"$counts"
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
  done
  echo
  echo "$passed passed, $failed failed, $skipped skipped"
  [[ $failed -eq 0 && $((passed + skipped)) -gt 0 ]]
}

# A misspelt suite must not look like a success.
check_suites_exist() {
  local known=" $1 " suite
  shift
  for suite in "$@"; do
    [[ $known == *" $suite "* ]] || refuse "no suite '$suite'; there are:$known"
  done
}

# Reads ctest's output, writes "passed failed skipped seconds".
count_results() {
  awk '
    / Test +#[0-9]+: / && /\*\*\*(Skipped|Not Run \(Disabled\))/ { skipped++; next }
    / Test +#[0-9]+: / && / Passed / { passed++; next }
    / Test +#[0-9]+: / { failed++ }
    /^Total Test time/ { seconds = $(NF - 1) }
    END { print passed + 0, failed + 0, skipped + 0, seconds + 0 }'
}

show_suite() {
  local passed failed skipped seconds
  read -r passed failed skipped seconds <<<"$2"
  printf '%-14s %5d passed %5d failed %5d skipped %8.1f s\n' "$1" "$passed" "$failed" "$skipped" "$seconds"
  [[ $skipped -eq 0 ]] || show_skipped "$3/suites/$1.log" "$3/Testing/Temporary/LastTest.log"
  [[ $failed -eq 0 ]] || show_failures <"$3/suites/$1.log"
}

# show_skipped RESULTS DETAILS: the name of each skipped test and the last line it printed, which is its reason.
show_skipped() {
  awk '
    FNR == NR && / Test +#[0-9]+: .*\*\*\*Skipped/ { sub(/.* Test +#[0-9]+: /, ""); skipped[$1] }
    FNR == NR { next }
    /^[0-9]+\/[0-9]+ Test: / { name = $3 }
    /^Output:$/ { last = "no reason given"; next }
    /^<end of output>/ && name in skipped { print "    skipped " name ": " last }
    NF && !/^-+$/ { last = $0 }' "$1" "$2"
}

# The output of each failing test, below its name.
show_failures() {
  awk '
    / Test +#[0-9]+: / { shown = !/ Passed / && !/\*\*\*(Skipped|Not Run \(Disabled\))/ }
    /^ *Start +[0-9]+: / { next }
    /tests passed, .* tests? failed/ { shown = 0 }
    shown { print "    " $0 }'
}
