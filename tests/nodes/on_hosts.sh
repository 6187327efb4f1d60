# Sourced by scripts of cases: hosts that are made of namespaces, and oshrun across them.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2034  # `hosts` is the cases'
with_hosts=$SOURCE_TREE/tests/mpi/hosts/with_hosts.sh
case_script=$1

# `on_hosts NUMBER CASE`: goes on, there being so many hosts; or makes them, and runs the case again there.
function on_hosts {
  [ -z "${HOST_LIST:-}" ] || { IFS=, read -ra hosts <<<"$HOST_LIST"; return; }
  "$with_hosts" 1 true 2>/dev/null || { echo "no hosts can be made here: that takes namespaces, ip and tc"; exit 77; }
  "$with_hosts" "$1" bash "$SOURCE_TREE/tests/launch/run_case.sh" "$case_script" "$2"
  exit
}
function across { oshrun --hosts "$HOST_LIST" --agent "$HOST_AGENT %h" "$@"; }
function start_across { start_oshrun --hosts "$HOST_LIST" --agent "$HOST_AGENT %h" "$@"; }

# A network that nobody else is in, which the provider takes if it is not told otherwise.
function give_own_network {
  "$HOST_AGENT" "${hosts[$1]}" "ip link add own0 type veth peer name other; ip address add $2 dev own0; ip link set own0 up; ip link set other up"
}
function give_own_networks { give_own_network 0 10.9.0.1/24; give_own_network 1 10.9.1.1/24; give_own_network 2 10.9.1.1/24; }

# What jobs find out that have another launcher than oshrun, whose PEs run $RESTLESS.
# Frames from one host to another go to nobody, and do so again.
function cut { "$HOST_AGENT" "${hosts[$1]}" "ip neigh replace ${hosts[$2]} lladdr 02:00:00:00:00:99 dev net0 nud permanent"; }
function join_again { "$HOST_AGENT" "${hosts[$1]}" "ip neigh flush nud permanent dev net0"; }
function is_told_unreachable { grep -Eq 'node [0-9] \(host[1-4]\) cannot be reached' "$scratch/err" && grep -q 'try: .*ATRIUM_NET_TIMEOUT' "$scratch/err"; }
function are_restless { [ "$(pgrep -xc restless)" = "$1" ]; }
function threads_called { cat /proc/[0-9]*/task/*/comm 2>/dev/null | grep -xc "$1"; }
# So many endpoints have their threads: all PEs are at work.
function endpoints_serve { [ "$(threads_called atrium-net)" = "$1" ]; }
# So many nodes watch each other, which they do as soon as they know each other.
function nodes_watch { [ "$(threads_called atrium-watch)" -ge "$1" ]; }
# But for what Open MPI says where its child is quicker than itself.
function nothing_is_said { ! grep -qvE 'plm:(rsh|ssh): Warning: setpgid' "$scratch/err"; }
function cut_when_served { expect_soon endpoints_serve "$1"; sleep 1; expect nothing_is_said; cut "$2" "$3"; cut "$3" "$2"; }
# By what has found the cut, which the case looks for in their words, and not by the minute after which it would be found anyhow
# (ATRIUM_NET_TIMEOUT): those are other words. So this is no limit of the job's, but of a machine with much else to do.
function all_go_soon {
  local deadline=$((SECONDS + 100))
  until are_restless 0; do [ $SECONDS -lt $deadline ] || complain "PEs are left: $(cat "$scratch/err")"; sleep 0.1; done
}
