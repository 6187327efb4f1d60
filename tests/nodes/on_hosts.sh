# Sourced by scripts of cases: hosts that are made of namespaces, and oshrun across them.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2034  # `hosts` is the cases'
with_hosts=$SOURCE_TREE/tests/mpi/hosts/with_hosts.sh
case_script=$1

# `on_hosts NUMBER CASE`: goes on, there being so many hosts; or makes them, and runs the case again there.
function on_hosts {
  [ -z "${HOST_LIST:-}" ] || { IFS=, read -ra hosts <<<"$HOST_LIST"; return; }
  need_libfabric
  "$with_hosts" 1 true 2>/dev/null || { echo "no hosts can be made here: that takes namespaces, ip and tc"; exit 77; }
  "$with_hosts" "$1" bash "$SOURCE_TREE/tests/launch/run_case.sh" "$case_script" "$2"
  exit
}
function across { oshrun --hosts "$HOST_LIST" --agent "$HOST_AGENT %h" "$@"; }
function start_across { start_oshrun --hosts "$HOST_LIST" --agent "$HOST_AGENT %h" "$@"; }
