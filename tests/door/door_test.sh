#!/usr/bin/env bash
# The cases of CMakeLists.txt. Some call ./atrium, some the functions of tools/door/.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
unset TEST_MACHINE

atrium_root=$SOURCE_TREE
sample=$SOURCE_TREE/tests/door/ctest_output.txt
source "$atrium_root/tools/door/say.sh"
source "$atrium_root/tools/door/test.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# says WHAT STATUS COMMAND...
says() {
  local said status=0
  said=$("${@:3}" 2>&1) || status=$?
  [[ $status -eq $2 && $said == *"$1"* ]] || { echo "wanted '$1' and status $2; status $status: $said" && exit 1; }
}

help_names_every_command() {
  local command
  for command in demo test build bench sim lint package setup; do says "  $command " 0 "$atrium_root/atrium" --help; done
}

# Each by its own text, in a tree that cannot be built, with nothing installed by it.
every_command_answers_help_and_builds_nothing() {
  local command
  mkdir "$work/tree"
  ln -s "$SOURCE_TREE"/{atrium,tools,bench,examples,tests} "$work/tree/"
  rm "$work/tree/atrium" && cp "$SOURCE_TREE/atrium" "$work/tree/"
  mkdir "$work/bin"
  for command in cmake apt-get sudo ninja make; do printf '#!/bin/sh\ntouch "%s/called"\n' "$work" >"$work/bin/$command"; done
  chmod +x "$work"/bin/*
  for command in demo test build bench sim lint package manual setup; do
    PATH=$work/bin:$PATH says "usage: ./atrium $command" 0 "$work/tree/atrium" "$command" --help
    PATH=$work/bin:$PATH says "usage: ./atrium $command" 0 "$work/tree/atrium" "$command" -h
  done
  PATH=$work/bin:$PATH says "usage: ./atrium bench" 0 "$work/tree/atrium" bench mpi --help
  PATH=$work/bin:$PATH says "--steps N" 0 "$work/tree/atrium" demo --help
  [[ ! -e $work/called && ! -e $work/tree/build && ! -e $work/tree/dist ]]
}

an_unknown_set_of_packages_ends_with_status_2() { says "not 'tset'" 2 "$atrium_root/atrium" setup tset; }

an_unknown_command_ends_with_status_2() { says "unknown command 'bulid'" 2 "$atrium_root/atrium" bulid; }
a_misspelt_command_is_told_its_name() {
  says "unknown command 'packge': did you mean package? try ./atrium --help" 2 "$atrium_root/atrium" packge
  says "did you mean build?" 2 "$atrium_root/atrium" bulid
  says "did you mean test?" 2 "$atrium_root/atrium" tset
  says "unknown command 'frobnicate': try ./atrium --help" 2 "$atrium_root/atrium" frobnicate
}
an_unknown_option_ends_with_status_2() { says "unknown option '--fast'" 2 "$atrium_root/atrium" test --fast; }

the_version_is_that_of_the_build() {
  says "atrium $(sed -n 's/^CMAKE_PROJECT_VERSION:.*=//p' "$BUILD_TREE/CMakeCache.txt")" 0 "$atrium_root/atrium" --version
}

# What states the version of a release states the same one.
every_part_states_the_same_version() {
  local version file
  version=$("$atrium_root/atrium" --version) && version=${version#atrium }
  cd "$SOURCE_TREE"
  for file in "CITATION.cff:version: $version" "packaging/atrium.spec:Version: *$version" "packaging/conda/recipe.yaml:version: \"$version\"" \
    "shnode/CMakeLists.txt:project(shnode VERSION $version " "packaging/debian/changelog:atrium ($version-" "CHANGELOG.md:## $version - 20[0-9-]*$"; do
    grep -q -- "${file#*:}" "${file%%:*}" || { echo "${file%%:*} does not state $version" && exit 1; }
  done
  [[ $(sed -n 's/^date-released: //p' CITATION.cff) == "$(sed -n "s/^## $version - //p" CHANGELOG.md)" ]]
}

# The bill of materials that is made with the source tarball, and the file that the soname leads to; its first number is the ABI's.
the_bill_of_materials_and_the_library_are_of_that_version() {
  command -v python3 >/dev/null || { echo "python3 is not installed" && exit 77; }
  source "$SOURCE_TREE/tools/door/package.sh"
  local version library
  version=$("$atrium_root/atrium" --version) && version=${version#atrium }
  mkdir -p "$work/tree/dist" "$work/tree/packaging"
  cp "$SOURCE_TREE/CMakeLists.txt" "$work/tree/" && cp "$SOURCE_TREE/packaging/sbom.py" "$work/tree/packaging/"
  atrium_root=$work/tree
  GIT_CEILING_DIRECTORIES=$work package_source "atrium-$(project_version)" 2>/dev/null
  python3 -c 'import json, sys
bill = json.load(open(sys.argv[1]))
assert bill["packages"][0]["versionInfo"] == sys.argv[2] and bill["name"] == "Atrium-" + sys.argv[2], bill["packages"][0]' \
    "$work/tree/dist/atrium-$version.spdx.json" "$version"
  library=$(readlink -f "$BUILD_TREE/lib/libatrium.so.1")
  [[ $library == */libatrium.so.1."${version#*.}" ]] || { echo "libatrium.so.1 leads to $library" && exit 1; }
  grep -qa 'libatrium\.so\.1' "$library"
}

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
expects_skip() {
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
}

# Other reasons, as good as they may be elsewhere, are not believed on a machine whose reasons are known; and all of these come.
a_machine_of_a_known_kind_skips_what_is_written_down() {
  atrium_root=$work
  mkdir -p "$work/suites" "$work/tests"
  printf '%s\n' 'any no locales' 'fresh ^PyPI cannot' 'fresh ^no NUMA' 'loaded others keep' >"$work/tests/skips.txt"
  export TEST_MACHINE=fresh
  : >"$work/suites/believed"
  printf '    skipped a.b: no locales here\n    skipped c.d: PyPI cannot be reached\n    skipped e.f: others keep the CPUs busy\n' | mark_unexpected "$work" >/dev/null
  [[ $(cat "$work/suites/unexpected") == "    skipped a.b: no locales here" ]]
  [[ $(missing_skips "$work") == "    ^no NUMA" ]]
  unset TEST_MACHINE
  [[ -z $(missing_skips "$work") ]]
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

# A machine on which `tool` is missing, seen by a user, with the given programs beside the shell's own.
pretend_machine() {
  local program
  mkdir -p "$work/bin" "$work/tools/door"
  echo "build program:nonesuch nonesuch-dev what for" >"$work/tools/door/packages.txt"
  atrium_root=$work
  for program in "$@"; do printf '#!/bin/sh\necho "%s $*" >>"%s/calls"\n' "$program" "$work" >"$work/bin/$program"; done
  chmod -R +x "$work/bin"
  have() { [[ -x $work/bin/$1 ]]; }
  id() { echo 1000; }
}

a_lint_without_its_tool_is_left_out() {
  source "$SOURCE_TREE/tools/door/lint.sh"
  cd "$SOURCE_TREE"
  have() { false; }
  says "python3 is not installed: left out" 0 run_one_lint sync
  says "clang-format is not installed: left out" 0 run_one_lint format
}

a_user_who_may_not_install_is_told_the_command() {
  pretend_machine apt-get
  says "apt-get install -y --no-install-recommends nonesuch-dev" 1 need build
}

another_distribution_is_told_what_to_install() {
  pretend_machine
  says "Debian packages, then try again: nonesuch-dev" 1 need build
}

what_a_build_can_do_without_is_named_and_left_out() {
  pretend_machine
  echo "extra program:nicety nicety-dev joining a job" >"$work/tools/door/packages.txt"
  says "going on without nicety-dev (joining a job)" 0 want extra
}

what_is_missing_is_asked_for_once() {
  pretend_machine apt-get
  printf '%s\n' "extra program:nicety nicety-dev joining" "demo program:nicety nicety-dev pictures" "demo program:other other-dev more" >"$work/tools/door/packages.txt"
  want extra demo 2>"$work/said"
  [[ $(grep -c 'apt-get install' "$work/said") -eq 1 && $(head -n 1 "$work/said") == *" nicety-dev other-dev" ]] || { cat "$work/said" && exit 1; }
  says "without nicety-dev (pictures)" 0 cat "$work/said"
}

# As Debian 12 has no flang: all others are installed, and it is not asked for again and again.
what_the_distribution_lacks_is_named_and_keeps_nothing_from_being_installed() {
  pretend_machine apt-get
  PATH=$work/bin:$PATH
  id() { echo 0; }
  is_offered() { [[ $1 == nicety-dev ]]; }
  printf '%s\n' "test program:nicety nicety-dev joining" "test program:odd odd-dev oddities" >"$work/tools/door/packages.txt"
  CI=yes says "without odd-dev (oddities): this distribution does not have it" 0 want test
  grep -qx 'apt-get .* install .* nicety-dev' "$work/calls"
  ! grep odd-dev "$work/calls"
  rm "$work/calls"
  cp "$work/bin/apt-get" "$work/bin/nicety"
  CI=yes says "without odd-dev" 0 want test
  [[ ! -f $work/calls ]]
}

a_server_is_installed_only_where_the_machine_is_thrown_away() {
  pretend_machine apt-get
  PATH=$work/bin:$PATH
  id() { echo 0; }
  echo "exposed program:odd odd-server jobs" >"$work/tools/door/packages.txt"
  CI='' says "without odd-server (jobs): it would open this machine to its network" 0 want test
  [[ ! -f $work/calls ]]
  CI=yes want test 2>/dev/null
  grep -q ' install .* odd-server' "$work/calls"
}

either_of_two_programs_will_do() {
  pretend_machine apt-get second
  echo "build program:first|second first-dev the build" >"$work/tools/door/packages.txt"
  need build
  [[ ! -f $work/calls ]]
}

what_plain_cmake_builds_without_is_not_needed() {
  ! grep -E '^build .*(pmix|hwloc|png)' "$SOURCE_TREE/tools/door/packages.txt"
}

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

# A clone that is built beside another takes all from the cache, the precompiled headers included.
ccache_knows_precompiled_headers_in_another_folder() {
  command -v ccache >/dev/null || { echo "ccache is not installed" && exit 77; }
  unset CCACHE_READONLY CCACHE_RECACHE CCACHE_DISABLE
  export CCACHE_DIR=$work/cache
  local folder
  for folder in one other; do
    export CCACHE_BASEDIR=$work/$folder
    mkdir "$work/$folder"
    echo 'size_t length(const char* text) { return std::strlen(text); }' >"$work/$folder/length.cpp"
    printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(small CXX)' 'set(ATRIUM_PRECOMPILE ON)' "include($SOURCE_TREE/precompile.cmake)" \
      'set(atrium_usual_headers <cstring>)' 'add_library(small OBJECT length.cpp)' 'atrium_precompile(small)' >"$work/$folder/CMakeLists.txt"
    cmake -S "$work/$folder" -B "$work/$folder/build" -DCMAKE_CXX_COMPILER_LAUNCHER=ccache
    ccache --zero-stats
    cmake --build "$work/$folder/build" --target small
    ccache --print-stats >"$work/$folder/stats"
  done
  local compiled
  compiled=$(sed -n 's/^cache_miss\t//p' "$work/one/stats")
  [[ $compiled -ge 2 ]]
  says cache_miss$'\t'0 0 cat "$work/other/stats"
  says "direct_cache_hit"$'\t'"$compiled" 0 cat "$work/other/stats"
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

# The runner refuses a path with "..", and hashes nothing outside of the workspace, where an action of another project is.
the_cache_of_the_action_is_named_by_the_sources() {
  local first action=$SOURCE_TREE/.github/actions/setup-atrium/action.yml
  mkdir -p "$work/one/packaging/ci" "$work/one/src" "$work/one/tests"
  cp "$SOURCE_TREE/packaging/ci/key.sh" "$work/one/packaging/ci/"
  echo 'project(atrium VERSION 4.5.6 LANGUAGES C)' >"$work/one/CMakeLists.txt"
  echo one >"$work/one/src/a.c"
  cp -r "$work/one" "$work/other place"
  first=$(cd / && "$work/one/packaging/ci/key.sh")
  [[ $first =~ ^4\.5\.6-[0-9a-f]{16}$ && $first == "$(cd "$work" && "other place/packaging/ci/key.sh")" ]]
  echo more >"$work/one/tests/t.c" && [[ $first == "$("$work/one/packaging/ci/key.sh")" ]]
  echo two >"$work/one/src/a.c" && [[ $first != "$("$work/one/packaging/ci/key.sh")" ]]
  ! grep 'hashFiles(' "$action"
  grep -q 'key: .*steps.atrium.outputs.key' "$action"
}

# One whose programs run, one whose programs do not, and the first where releases have their files.
make_tarballs() {
  local kind folder
  for kind in good bad; do
    mkdir -p "$work/$kind/bin"
    printf '#!/bin/sh\nexit %d\n' "$([[ $kind == good ]] && echo 0 || echo 1)" >"$work/$kind/bin/oshrun" && chmod +x "$work/$kind/bin/oshrun"
    tar -C "$work" -cJf "$work/$kind.tar.xz" "$kind"
  done
  for folder in on_github/releases/download/v4.5.6 on_gitlab/-/releases/v4.5.6/downloads; do
    mkdir -p "$work/$folder" && cp "$work/good.tar.xz" "$work/$folder/atrium-4.5.6-linux-$(uname -m).tar.xz"
  done
}

# The action's own lines, with a tarball that is there, one that is not, and one whose programs do not run here.
the_action_takes_a_binary_or_builds() {
  command -v curl >/dev/null || { echo "curl is not installed" && exit 77; }
  awk '/as_root=/ { exit } on { print } /^        # A release has its tarball/ { on = 1 }' "$SOURCE_TREE/.github/actions/setup-atrium/action.yml" >"$work/lines"
  echo 'echo "it is built"' >>"$work/lines"
  local address
  make_tarballs
  export ACTION=$SOURCE_TREE/.github/actions/setup-atrium REPOSITORY=file://$work/on_github PREFIX=$work/prefix MPI=false BINARY='' REF=v4.5.6
  says "taken from" 0 bash -e "$work/lines"
  "$PREFIX/bin/oshrun" && rm -r "$PREFIX"
  MPI=true says "it is built" 0 bash -e "$work/lines"
  REF=main says "it is built" 0 bash -e "$work/lines"
  for address in "file://$work/nothing.tar.xz" "file://$work/bad.tar.xz"; do
    BINARY=$address says "it is built" 0 bash -e "$work/lines"
    [[ ! -e $PREFIX ]]
  done
}

# The lines of GitLab's recipe, run by `sh`, with programs that write down their calls.
pretend_gitlab() {
  awk '/^    - \|$/ { on = 1; next } /^    - / { on = 0 } on' "$SOURCE_TREE/packaging/ci/gitlab.yml" >"$work/block"
  mkdir "$work/bin" "$work/project" && cd "$work/project"
  printf '#!/bin/sh\nif [ "$1" = ls-remote ]; then printf "%%s\\trefs/heads/main\\n" "$HEAD"; else echo clone >>../calls; fi\n' >"$work/bin/git"
  printf '#!/bin/sh\nmkdir -p .atrium\n' >"$work/bin/cmake"
  printf '#!/bin/sh\necho "$*" >>../installed\n' >"$work/bin/apt-get"
  chmod +x "$work"/bin/*
  export PATH=$work/bin:$PATH HEAD=1111 ATRIUM_REF=main ATRIUM_SOURCE=/somewhere ATRIUM_BINARY=''
}

the_cache_of_gitlab_is_made_anew_when_the_branch_has_moved() {
  pretend_gitlab
  local head
  for head in 1111 1111 2222 2222; do HEAD=$head sh -e "$work/block"; done
  [[ $(wc -l <"$work/calls") -eq 2 && $(grep -c 'recommends libhwloc-dev' "$work/installed") -eq 4 ]]
  ! ATRIUM_SOURCE='' sh -e "$work/block" 2>"$work/said"
  grep -q "set it to where Atrium is" "$work/said"
}

gitlab_takes_a_binary_or_builds() {
  command -v curl >/dev/null || { echo "curl is not installed" && exit 77; }
  make_tarballs
  pretend_gitlab
  ATRIUM_REF=v4.5.6 ATRIUM_SOURCE=file://$work/on_github.git says "taken from file://$work/on_github/releases/download/v4.5.6" 0 sh -e "$work/block"
  .atrium/bin/oshrun
  HEAD=2222 ATRIUM_REF=v4.5.6 ATRIUM_SOURCE=file://$work/on_gitlab says "taken from file://$work/on_gitlab/-/releases/v4.5.6/downloads" 0 sh -e "$work/block"
  HEAD=3333 ATRIUM_BINARY=file://$work/good.tar.xz says "taken from" 0 sh -e "$work/block"
  [[ ! -e $work/calls && ! -e $work/installed ]]
  local binary
  for binary in nothing bad; do
    HEAD=$binary ATRIUM_BINARY=file://$work/$binary.tar.xz sh -e "$work/block" 2>/dev/null
    [[ -e .atrium/is_built && ! -e .atrium/bin ]]
  done
  HEAD=4444 ATRIUM_SOURCE=file://$work/on_github sh -e "$work/block"
  [[ $(wc -l <"$work/calls") -eq 3 ]]
}

# One variable has the address of the project, HOMEPAGE_URL of its CMakeLists.txt; where there is none, none is made up.
addresses_are_those_of_the_project_or_left_out() {
  command -v python3 >/dev/null || { echo "python3 is not installed" && exit 77; }
  local name=example.invalid address
  ! grep -rn "$name" "$SOURCE_TREE"/{packaging,.github,docs,CMakeLists.txt,README.md,CITATION.cff,pyproject.toml}
  mkdir "$work/atrium-4.5.6"
  for address in "" https://atrium.test/home; do
    echo "project(atrium VERSION 4.5.6 HOMEPAGE_URL \"$address\" LANGUAGES C)" >"$work/atrium-4.5.6/CMakeLists.txt"
    tar -C "$work" -czf "$work/atrium-4.5.6.tar.gz" atrium-4.5.6
    python3 "$SOURCE_TREE/packaging/sbom.py" "$work/atrium-4.5.6.tar.gz" >"$work/bill"
    grep -q "\"documentNamespace\": \"${address:-https://spdx.org/spdxdocs}/" "$work/bill"
    [[ $(grep -c '"homepage"' "$work/bill") -eq $([[ -z $address ]] && echo 0 || echo 1) ]]
  done
}

what_is_there_is_not_installed_again() {
  pretend_machine apt-get nonesuch
  need build
  [[ ! -f $work/calls ]]
}

"$1"
