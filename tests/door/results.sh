# How the results of suites are counted and shown, and which skipped tests are believed.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2034,SC2154,SC2164,SC2317  # cases are called by name, with set -e

results_are_counted() { says "1 2 1 1.03" 0 count_results <"$sample"; }

a_failure_is_shown_with_its_output() {
  says "expected two lines, got one" 0 show_failures <"$sample"
  [[ $(show_failures <"$sample") != *starts_one_pe* ]]
}

a_skipped_test_is_shown_with_its_reason() {
  cat >"$work/details" <<'END'
2/4 Test: launch.forwards_lines
Output:
----------------------------------------------------------
expected two lines, got one
<end of output>
3/4 Test: launch.wraps_gdb
Output:
----------------------------------------------------------
gdb is not installed
<end of output>
END
  says "skipped launch.wraps_gdb: gdb is not installed" 0 show_skipped "$sample" "$work/details"
}

the_reason_of_a_skipped_unit_test_is_its_own() {
  printf '%s\n' '3/4 Test: launch.wraps_gdb' Output: ------------- '[ RUN      ] A.b' 'a.cpp:40: Skipped' 'it is too small' '' \
    '[  SKIPPED ] A.b (0 ms)' '<end of output>' >"$work/details"
  says "skipped launch.wraps_gdb: it is too small" 0 show_skipped "$sample" "$work/details"
}

# expects_skip WHETHER REASON: in a build without sanitizers.
function expects_skip {
  local expected=no
  echo "ATRIUM_SANITIZE:STRING=${sanitizer:-}" >"$work/CMakeCache.txt"
  is_expected_skip "$work" "$2" >/dev/null && expected=yes
  [[ $expected == "$1" ]] || { echo "'$2': expected is $expected" && exit 1; }
}

skips_are_believed_where_their_reasons_hold() {
  expects_skip yes "no mount namespaces here"
  expects_skip yes "nonesuch-program is not installed"
  expects_skip no "bash is not installed"
  expects_skip no "no reason given"
  expects_skip no "it was Tuesday"
  expects_skip no "a library with a sanitizer cannot be preloaded"
  sanitizer=address expects_skip yes "a library with a sanitizer cannot be preloaded"
  local flags believed=no
  flags=$(</proc/cpuinfo)
  [[ $flags == *" vaes"* && $flags == *" avx512bw"* ]] || believed=yes
  expects_skip $believed "this processor has no instructions for vaes_512"
  TEST_MACHINE=fresh expects_skip $believed "this processor has no instructions for vaes_512"
}

# Other reasons, as good as they may be elsewhere, are not believed on a machine whose reasons are known; and all of these come.
a_machine_of_a_known_kind_skips_what_is_written_down() {
  atrium_root=$work
  mkdir -p "$work/suites" "$work/tests"
  printf '%s\n' 'any no locales' 'fresh ^PyPI cannot' 'bookworm ^no NUMA' 'trixie ^no man' 'loaded others keep' >"$work/tests/skips.txt"
  export TEST_MACHINE="fresh bookworm"
  : >"$work/suites/believed"
  printf '    skipped a.b: no locales here\n    skipped c.d: PyPI cannot be reached\n    skipped e.f: others keep the CPUs busy\n' | mark_unexpected "$work" >/dev/null
  [[ $(cat "$work/suites/unexpected") == "    skipped a.b: no locales here" ]]
  [[ $(missing_skips "$work") == "    ^no NUMA" ]]
  unset TEST_MACHINE
  [[ -z $(missing_skips "$work") ]]
}

# Where numbers have commas, printf of bash refuses the seconds of a suite.
the_seconds_of_a_suite_are_shown_in_every_locale() {
  localedef -i de_DE -f UTF-8 "$work/de_DE.UTF-8" 2>/dev/null || true
  [[ -d $work/de_DE.UTF-8 ]] || { echo "no locales here" && exit 77; }
  says ' 1.5 s' 0 env LOCPATH="$work" LC_ALL=de_DE.UTF-8 \
    bash -c 'source "$1/atrium" --version && source "$1/tools/door/test.sh" && show_suite a "1 0 0 1.5" "$0"' "$work" "$SOURCE_TREE"
}

what_is_skipped_for_no_good_reason_is_collected() {
  mkdir -p "$work/suites" && echo "ATRIUM_SANITIZE:STRING=" >"$work/CMakeCache.txt"
  printf '    skipped a.b: no locales here\n    skipped c.d: a sanitizer: it ends this program\n' | mark_unexpected "$work" >"$work/shown"
  [[ $(wc -l <"$work/shown") -eq 2 && $(cat "$work/suites/unexpected") == "    skipped c.d: a sanitizer: it ends this program" ]]
}

# Each reason that a test of this repository can give, as far as it is written down as a text.
every_reason_in_the_tests_is_known() {
  local reason pattern unknown=0
  while IFS= read -r reason; do
    while read -r _ pattern; do [[ ! $reason =~ $pattern ]] || continue 2; done < <(grep -v '^#' "$atrium_root/tests/skips.txt")
    echo "tests/skips.txt does not know: $reason" && unknown=1
  done < <(grep -rhoE "(skip|SKIP\(\) <<|echo) \"[^\"\$]{6,}\"(;| &&)? ?(exit 77|return 77|\)|$|})?" "$atrium_root"/tests --include=*.sh |
    grep -E "^skip|77" | sed 's/^[a-z]* "//; s/".*//')
  [[ $unknown -eq 0 ]]
}

a_misspelt_suite_is_refused() { says "no suite 'lnit'; there are: lint unit" 2 check_suites_exist "lint unit" lnit; }

every_suite_is_run_once_or_has_to_be_named() {
  diff <({ suites_without_a_name | tr ' ' '\n' && printf '%s\n' "${named_suites[@]}"; } | sort) <(cd "$SOURCE_TREE/tests" && printf '%s\n' */CMakeLists.txt | xargs dirname | sort)
}

# What a suite's tests run and find in their surroundings lies in a part that is built before the suite is run.
every_suite_has_its_programs_when_it_runs() {
  local suite part found lacking=
  for suite in $(suites_in_order); do
    [[ -d $BUILD_TREE/tests/$suite ]] || continue
    for found in $(find "$BUILD_TREE/tests/$suite" -name CTestTestfile.cmake -exec grep -hoE "$BUILD_TREE/(tests|examples|bench)/[A-Za-z0-9_./+-]+" {} + |
      sed "s,^$BUILD_TREE/,," | sort -u); do
      for part in "tests/$suite/" $(parts_of "$suite"); do [[ $found/ != "$part"* ]] || continue 2; done
      echo "$suite needs $found, which parts_of (tools/door/test.sh) does not name" && lacking=yes
    done
  done
  [[ -z $lacking ]]
}

steps_are_counted_on_a_fresh_folder_alone() {
  command -v ninja >/dev/null || { echo "ninja is not installed" && exit 77; }
  mkdir "$work/fresh"
  printf 'rule cc\n  command = true\nbuild a: cc\nbuild b: cc a\nbuild product: phony b\nbuild c: cc\nbuild tests/x/all: phony c\n' >"$work/fresh/build.ninja"
  echo "CMAKE_MAKE_PROGRAM:FILEPATH=$(command -v ninja)" >"$work/fresh/CMakeCache.txt"
  says 3 0 count_steps "$work/fresh" x
  touch "$work/fresh/.ninja_log"
  [[ -z $(count_steps "$work/fresh" x) ]]
}

a_suite_that_cannot_be_built_is_told_and_fails() {
  mkdir -p "$work/suites"
  echo tests/broken/ >"$work/suites/broken.built"
  printf '[1/2] Building\nx.c:1:2: error: no such thing\n' >"$work/build.log"
  says "no such thing" 1 run_suites "$work" broken
  says "1 suites could not be built" 1 run_suites "$work" broken
}

# Each of the two waits for the other one. `suite NAME MAKES AWAITS`.
function suite {
  mkdir -p "$work/suites" "$work/tests/$1" && : >"$work/suites/$1.built"
  echo "add_test($1.meets sh -c \"touch $work/$2; for i in \$(seq 300); do [ ! -e $work/$3 ] || exit 0; sleep 0.1; done; exit 1\")" >"$work/tests/$1/CTestTestfile.cmake"
}
suites_that_wait_run_beside_the_others() {
  suite nodes a b
  suite lint b a
  says "2 passed, 0 failed, 0 skipped" 0 run_suites "$work" nodes lint
}
their_lane_takes_others_when_it_has_ended() {
  suite lint a b
  suite models b a
  says "2 passed, 0 failed, 0 skipped" 0 run_suites "$work" lint models
}
