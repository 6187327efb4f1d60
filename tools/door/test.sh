# Builds and runs the suites: two at a time, and while they run the next are compiled. A line for each suite, what failed and why,
# one total.
# SPDX-License-Identifier: BSD-3-Clause
source "$atrium_root/tools/door/build.sh"
source "$atrium_root/tools/door/skips.sh"

# Suites in the order in which they are built and run: those that need little first, and those that wait for something while
# compilers have use for the cores; then the longest. A suite that is not named here comes after them.
early_suites=(launch deadlock fault install manual shnode door lint conformance litmus stress contract nodes mpi api interop examples)

# Suites that are built and run only where they are named: they take long, or more than a machine may have to give.
named_suites=(rdma aarch64)

# Suites whose tests wait for something most of the time (a quarter of a CPU each): twice as many at a time, beside the others.
patient_suites=(deadlock fault install manual nodes shnode)

# In the background: what builds, and the lanes in which suites run.
builder='' lanes=()

# What `test quick` builds and runs: enough to see that this library works on this machine.
quick_suites=(conformance launch)

run_test() {
  local build=$atrium_root/build type=Release options=() wanted=() named=() argument
  while [[ $# -gt 0 ]]; do
    argument=$1 && shift
    case $argument in
      --sanitize=address) build=$atrium_root/build-asan ;;
      --sanitize=undefined) build=$atrium_root/build-ubsan ;;
      --sanitize=address,undefined) build=$atrium_root/build-asan-ubsan ;;
      --sanitize=thread) build=$atrium_root/build-tsan ;;
      --minutes | --pes | --nodes | --seed)
        [[ $# -gt 0 ]] || refuse "$argument needs a value"
        export SOAK="${SOAK:-} $argument $1" && shift
        ;;
      --minutes=* | --pes=* | --nodes=* | --seed=*) export SOAK="${SOAK:-} $argument" ;;
      --sanitize=*) refuse "no sanitizer '${argument#*=}'; there are: address, undefined, both (address,undefined) and thread" ;;
      -*) refuse "unknown option '$argument': try ./atrium --help" ;;
      *) wanted+=("$argument") ;;
    esac
    [[ $argument != --sanitize=* ]] || { type=RelWithDebInfo && options+=("-DATRIUM_SANITIZE=${argument#*=}"); }
  done
  [[ -z ${SOAK:-} || " ${wanted[*]} " == *" soak "* ]] || refuse "--minutes, --pes, --nodes and --seed are for: ./atrium test soak"
  [[ " ${wanted[*]} " != *" quick "* ]] || { run_quick "${wanted[@]}" && return; }
  check_suites_exist "$(suites_in_order)" "${wanted[@]}"
  [[ ${#wanted[@]} -gt 0 ]] || read -ra wanted <<<"$(suites_without_a_name)"
  need build
  read -ra named <<<"$(named_among "${wanted[@]}")"
  want extra test "${named[@]}"
  [[ " ${wanted[*]} " != *" mpi "* ]] || want_newer_mpis
  configure "$build" -DCMAKE_BUILD_TYPE="$type" "${options[@]}"
  say "building ${build#"$atrium_root"/}; suites run while others compile"
  start_building "$build" "${wanted[@]}"
  run_suites "$build" "${wanted[@]}"
}

help_test() {
  echo "usage: ./atrium test [--sanitize=address|undefined|address,undefined|thread] [SUITE...]
       ./atrium test quick
       ./atrium test soak --minutes N [--pes 2,4,8] [--nodes 1,2] [--seed N]
Builds and runs these suites or all, and prints a line for each and one total; quick is a first verdict within a minute.
FUZZ_SECONDS=N: so long is each fuzzer run. tests/README.md says what each suite is for:"
  suites_without_a_name | fold -s -w 100 | sed 's/^/  /'
  echo "and by name only: ${named_suites[*]}"
}

# A first verdict: little is installed, little is built, seconds are run. Where nothing is built yet, it is compiled without
# optimisation, in half of the time.
run_quick() {
  local build=$atrium_root/build
  [[ $# -eq 1 ]] || refuse "test quick takes nothing else"
  need build
  if [[ -e $build/bin/oshrun ]]; then
    configure "$build" -DCMAKE_BUILD_TYPE=Release
  else
    build=$atrium_root/build-quick
    configure "$build" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DCMAKE_C_FLAGS_DEBUG=-O0
  fi
  say "building ${build#"$atrium_root"/}, what the quick tests need"
  quietly "$build/build.log" build_part "$build" quick
  only=quick run_suites "$build" "${quick_suites[@]}"
}

# A folder of tests/ with a CMakeLists.txt is a suite.
suites_in_order() {
  local suite known=" ${early_suites[*]} " suites=("${early_suites[@]}")
  for suite in "$atrium_root"/tests/*/CMakeLists.txt; do
    suite=$(basename "$(dirname "$suite")")
    [[ $known == *" $suite "* ]] || suites+=("$suite")
  done
  echo "${suites[*]}"
}

# Those of them that `./atrium test` runs, and those of the given ones that it does not: each is also the name of its packages.
suites_without_a_name() {
  local suite suites=()
  for suite in $(suites_in_order); do [[ " ${named_suites[*]} " == *" $suite "* ]] || suites+=("$suite"); done
  echo "${suites[*]}"
}
named_among() {
  local suite suites=()
  for suite; do [[ " ${named_suites[*]} " != *" $suite "* ]] || suites+=("$suite"); done
  echo "${suites[*]}"
}

# What must be built before a suite can run, besides its own folder.
parts_of() {
  case $1 in
    demo | examples) echo product examples/ ;;
    mpi) echo product examples/ bench/ ;;
    contract) echo product bench/ ;;
    rdma) echo product tests/mpi/ tests/nodes/ tests/conformance/ tests/litmus/ tests/fault/ ;;
    nodes) echo product tests/contract/ tests/conformance/ tests/litmus/ tests/stress/ tests/fault/ tests/launch/ ;;
    *) echo product ;;
  esac
}

# start_building BUILD SUITE...: in the background, suite by suite; BUILD/suites/SUITE.built then says how it went.
# Tests come before compilers when there is not enough to run both: late compilers delay nobody, late tests time out.
start_building() {
  local build=$1
  mkdir -p "$build/suites"
  rm -f "$build"/suites/*.built
  : >"$build/build.log"
  total_steps=$(count_steps "$@")
  set -m # a process group of its own, which can be ended whole
  build_suites "$@" </dev/null >>"$build/build.log" 2>&1 &
  set +m
  builder=$!
  trap end_background EXIT
}

build_suites() {
  local build=$1 suite part
  shift
  [[ $(nice) -ge 5 ]] || renice -n 5 "$BASHPID" >/dev/null 2>&1 || true
  for suite in "$@"; do
    for part in $(parts_of "$suite") "tests/$suite/"; do
      build_part "$build" "$part" || { echo "$part" >"$build/suites/$suite.failed" && break; }
    done
    mv "$build/suites/$suite.failed" "$build/suites/$suite.built" 2>/dev/null || : >"$build/suites/$suite.built"
  done
}

# count_steps BUILD SUITE...: how many steps they take on a folder that has built nothing yet; else nothing, since what is
# up to date is no step, and a dry run of ninja stops at its first rule, to look whether CMake must run again.
count_steps() {
  local build=$1 ninja suite part targets=()
  ninja=$(sed -n 's/^CMAKE_MAKE_PROGRAM:.*=//p' "$build/CMakeCache.txt")
  [[ -f $build/build.ninja && ! -e $build/.ninja_log ]] || return 0
  for suite in "${@:2}"; do
    for part in $(parts_of "$suite") "tests/$suite/"; do targets+=("${part/%\//\/all}"); done
  done
  "$ninja" -C "$build" -t commands "${targets[@]}" 2>/dev/null | wc -l
}

# "3:05 building 312/913: Linking CXX executable ..."; nothing when all is built.
building_state() {
  local ended what
  kill -0 "$builder" 2>/dev/null || return 0
  ended=$(grep -c '^\[[0-9]' "$1/build.log")
  what=$(tail -n 1 "$1/build.log")
  echo "building $ended${total_steps:+/$total_steps}: ${what#*] }"
}

# The suites run in two lanes: those that wait, and the others beside them. So cores have work also where a suite's last tests are few.
# When all that wait are over, their lane takes some of the others.
# start_lanes BUILD SUITE...: in the background; BUILD/suites/SUITE.ended then says that a suite is over.
start_lanes() {
  local build=$1 suite waiting=() working=()
  shift
  for suite in "$@"; do
    rm -rf "$build/suites/$suite".{ended,log,taken}
    if [[ " ${patient_suites[*]} " == *" $suite "* ]]; then waiting+=("$suite"); else working+=("$suite"); fi
  done
  set -m # groups of processes of their own
  run_lane "$build" "${waiting[@]}" "${working[@]}" </dev/null &
  lanes=("$!")
  run_lane "$build" "${working[@]}" </dev/null &
  lanes+=("$!")
  set +m
  trap end_background EXIT
}

run_lane() {
  local build=$1 suite
  shift
  for suite in "$@"; do
    mkdir "$build/suites/$suite.taken" 2>/dev/null || continue # by the other lane
    until [[ -n ${only:-} || -e $build/suites/$suite.built ]]; do sleep 0.3; done
    [[ -s $build/suites/$suite.built ]] || run_suite "$build" "$suite"
    : >"$build/suites/$suite.ended"
  done
}

# With all that the builder and the lanes have started. Of those that have ended, the numbers may be others' by now.
end_background() {
  local group
  for group in $(jobs -pr); do kill -- "-$group" 2>/dev/null || true; done
}

# wait_for_end BUILD SUITE SUITE...: until the first of them is over; shows how far they all are.
wait_for_end() {
  local build=$1 suite=$2
  shift
  until [[ -e $build/suites/$suite.ended ]]; do
    kill -0 "${lanes[@]}" 2>/dev/null || [[ -e $build/suites/$suite.ended ]] || fail "the tests of $suite were ended"
    show_state "$build" "$(running_state "$build" "$@")" && sleep 0.3
  done
}

# "mpi 12/666 nodes ... ": the suites that run, and how many of their tests are over.
running_state() {
  local build=$1 suite ended
  shift
  for suite in "$@"; do
    [[ -e $build/suites/$suite.log && ! -e $build/suites/$suite.ended ]] || continue
    ended=$(sed -n 's/^ *\([0-9]*\/[0-9]*\) Test .*/\1/p' "$build/suites/$suite.log" | tail -n 1)
    printf '%s %s ' "$suite" "${ended:-...}"
  done
}

# show_state BUILD RUNNING: the one line, for a terminal; else a line every half a minute.
show_state() {
  local state
  [[ -t 2 || $SECONDS -ge $((said_at + 30)) ]] || return 0
  state="$(minutes $((SECONDS - began))) $2$(building_state "$1")"
  if [[ -t 2 ]]; then
    printf '\r\033[K%.110s' "$state" >&2
  else
    said_at=$SECONDS
    printf '  %.110s\n' "$state" >&2
  fi
}

# run_suites BUILD SUITE...: ends with the total, and fails when a test did.
run_suites() {
  local build=$1 suite passed=0 failed=0 skipped=0 unbuilt=0 counts began=$SECONDS said_at=$SECONDS absent='' ended=0
  shift
  mkdir -p "$build/suites"
  : >"$build/suites/unexpected"
  : >"$build/suites/believed"
  start_lanes "$build" "$@"
  for suite in "$@"; do
    wait_for_end "$build" "${@:$((++ended))}"
    [[ ! -s $build/suites/$suite.built ]] || { say_unbuilt "$build" "$suite" && unbuilt=$((unbuilt + 1)) && continue; }
    [[ ! -t 2 ]] || printf '\r\033[K' >&2
    counts=$(count_results <"$build/suites/$suite.log")
    show_suite "$suite" "$counts" "$build"
    read -r p f s _ <<<"$counts"
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
  done
  echo
  echo "$passed passed, $failed failed, $skipped skipped"
  if [[ -s $build/suites/unexpected ]]; then
    echo "$(wc -l <"$build/suites/unexpected") of the skipped give no reason that holds here (tests/skips.txt):"
    cat "$build/suites/unexpected"
    [[ -z ${CI:-}${TEST_MACHINE:-} ]] || fail "a test that is skipped for no good reason is not run at all"
  fi
  [[ $# -lt $(suites_without_a_name | wc -w) ]] || absent=$(missing_skips "$build")
  [[ -z $absent ]] || fail "no test was skipped for these reasons of tests/skips.txt:"$'\n'"$absent"
  [[ $unbuilt -eq 0 ]] || fail "$unbuilt suites could not be built"
  [[ $failed -eq 0 && $((passed + skipped)) -gt 0 ]]
}

# run_suite BUILD SUITE: its tests, or those with the label $only.
run_suite() {
  local at_a_time
  at_a_time=$(nproc)
  [[ " ${patient_suites[*]} " != *" $2 "* ]] || at_a_time=$((2 * at_a_time))
  # Where some tests are idle, the others are told to take three places each (tests/suites.cmake).
  ! grep -q "^$2[.]" "$atrium_root/tests/idle.txt" || at_a_time=$((3 * at_a_time))
  ctest --test-dir "$1/tests/$2" --build-config "$2" ${only:+--label-regex "^$only\$"} --parallel "$at_a_time" --output-on-failure \
    >"$1/suites/$2.log" 2>&1 || true
}

say_unbuilt() {
  printf '%-14s cannot be built: %s\n' "$2" "$(cat "$1/suites/$2.built")"
  grep -E -A12 '^FAILED|[Ee]rror' "$1/build.log" | tail -n 40 >&2
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
  [[ $skipped -eq 0 ]] || show_skipped "$3/suites/$1.log" "$3/tests/$1/Testing/Temporary/LastTest.log" | mark_unexpected "$3"
  [[ $failed -eq 0 ]] || show_failures <"$3/suites/$1.log"
}

# show_skipped RESULTS DETAILS: the name of each skipped test and the last line it printed, which is its reason.
show_skipped() {
  awk '
    FNR == NR && / Test +#[0-9]+: .*\*\*\*Skipped/ { sub(/.* Test +#[0-9]+: /, ""); skipped[$1] }
    FNR == NR { next }
    /^[0-9]+\/[0-9]+ Test: / { name = $3; said = 0 }
    /^Output:$/ { last = "no reason given"; next }
    /: Skipped$/ && getline > 0 { last = $0; said = 1; next } # GoogleTest
    /^<end of output>/ && name in skipped { print "    skipped " name ": " last }
    NF && !/^-+$/ && !said { last = $0 }' "$1" "$2"
}

# The output of each failing test, below its name.
show_failures() {
  awk '
    / Test +#[0-9]+: / { shown = !/ Passed / && !/\*\*\*(Skipped|Not Run \(Disabled\))/ }
    /^ *Start +[0-9]+: / { next }
    /tests passed, .* tests? failed/ { shown = 0 }
    shown { print "    " $0 }'
}
