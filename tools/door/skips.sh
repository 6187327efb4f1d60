# Which skipped tests are skipped for a reason that holds here: tests/skips.txt has the reasons.
# SPDX-License-Identifier: BSD-3-Clause

# mark_unexpected BUILD: passes lines "    skipped NAME: REASON" on, and collects those without a good reason in
# BUILD/suites/unexpected.
mark_unexpected() {
  local line reason
  while IFS= read -r line; do
    echo "$line"
    reason=${line#*skipped *: }
    is_expected_skip "$1" "$reason" || echo "$line" >>"$1/suites/unexpected"
  done
}

is_expected_skip() {
  local when pattern
  while read -r when pattern; do
    [[ -n $when && $when != \#* && $2 =~ $pattern ]] && holds_here "$when" "$1" "$2" && return
  done <"$atrium_root/tests/skips.txt"
  return 1
}

# holds_here WHEN BUILD REASON
holds_here() {
  case $1 in
    any) return 0 ;;
    sanitized) grep -q '^ATRIUM_SANITIZE:[^=]*=.' "$2/CMakeCache.txt" ;;
    missing) ! command -v "${3%% *}" >/dev/null ;;
    one-cpu) [[ $(nproc) -eq 1 ]] ;;
    user) [[ $(id -u) -ne 0 ]] ;;
    *) return 1 ;;
  esac
}
