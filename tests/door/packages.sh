# What a machine lacks, and how it is installed.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2034,SC2154,SC2164,SC2317  # cases are called by name, with set -e

# A machine on which `tool` is missing, seen by a user, with the given programs beside the shell's own.
function pretend_machine {
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

a_configuration_that_failed_leaves_no_compiler_behind() {
  pretend_machine
  cmake() { :; }
  mkdir "$work/failed" "$work/good"
  touch "$work/failed/CMakeCache.txt" "$work/good/CMakeCache.txt" "$work/good/build.ninja"
  configure "$work/failed"
  configure "$work/good"
  [[ ! -e $work/failed/CMakeCache.txt && -e $work/good/CMakeCache.txt ]]
}

fedoras_names_are_told_where_dnf_installs() {
  pretend_machine dnf
  printf 'build program:nonesuch %s a word\n' g++ libhwloc-dev libfabric-dev nlohmann-json3-dev >"$work/tools/door/packages.txt"
  says "dnf install gcc-c++ hwloc-devel libfabric-devel json-devel" 1 need build
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

what_is_there_is_not_installed_again() {
  pretend_machine apt-get nonesuch
  need build
  [[ ! -f $work/calls ]]
}
