# Which skipped tests are skipped for a reason that holds here: tests/skips.txt has the reasons.
# SPDX-License-Identifier: BSD-3-Clause

# mark_unexpected BUILD: passes lines "    skipped NAME: REASON" on, and collects those without a good reason in
# BUILD/suites/unexpected, and the patterns of the good ones in BUILD/suites/believed.
mark_unexpected() {
  local line reason
  while IFS= read -r line; do
    echo "$line"
    reason=${line#*skipped *: }
    is_expected_skip "$1" "$reason" >>"$1/suites/believed" || echo "$line" >>"$1/suites/unexpected"
  done
}

# Prints the pattern of the reason.
is_expected_skip() {
  local when pattern
  while read -r when pattern; do
    [[ -n $when && $when != \#* && $2 =~ $pattern ]] && holds_here "$when" "$1" "$2" && echo "$pattern" && return
  done <"$atrium_root/tests/skips.txt"
  return 1
}

# holds_here WHEN BUILD REASON: on a machine whose kinds are known ($TEST_MACHINE, words), the reasons of these kinds alone.
holds_here() {
  [[ $1 != loaded ]] || return 0
  [[ $1 != without-* ]] || { ! grep -qw "${1#without-}" /proc/cpuinfo; return; }
  if [[ -n ${TEST_MACHINE:-} ]]; then
    [[ " $TEST_MACHINE " == *" $1 "* ]]
    return
  fi
  case $1 in
    any) return 0 ;;
    sanitized) grep -q '^ATRIUM_SANITIZE:[^=]*=.' "$2/CMakeCache.txt" ;;
    missing) ! command -v "${3%% *}" >/dev/null ;;
    one-cpu) [[ $(nproc) -eq 1 ]] ;;
    user) [[ $(id -u) -ne 0 ]] ;;
    *) return 1 ;;
  esac
}

# missing_skips BUILD: reasons that a machine of known kinds has, and no test gave.
missing_skips() {
  local when pattern
  [[ -n ${TEST_MACHINE:-} ]] || return 0
  while read -r when pattern; do
    [[ " $TEST_MACHINE " != *" $when "* ]] || grep -qxF "$pattern" "$1/suites/believed" || echo "    $pattern"
  done <"$atrium_root/tests/skips.txt"
}
