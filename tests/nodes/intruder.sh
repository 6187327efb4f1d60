# Somebody of another user id at the ports of a job of two nodes, on a host of its own: a namespace of the network, whose ports
# /proc/net/tcp shows to everybody in it. What he does: intruder.c; what the job does meanwhile: besieged.c.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

# besieged WHAT SECONDS [VARIABLE=VALUE...]: the job's output is in $scratch/job, with its status, the intruder's in $scratch/intruder.
function besieged {
  need_libfabric; need setpriv; need ip
  [ -x "$INTRUDER" ] || skip "libfabric is not there to link with"
  local as_root=() somebody=() provider
  provider=$(env "${@:3}" "$BUILD_TREE/bin/atrium-info" --fabric 2>/dev/null | sed -n 's/^  provider  *//p')
  [ -n "$provider" ] || skip "libfabric has no such provider here: ${*:3}"
  [ "$(id -u)" = 0 ] || as_root=(--user --map-root-user)
  unshare "${as_root[@]}" --net ip link set lo up 2>/dev/null || skip "no namespaces of the network can be made here"
  [ "$(id -u)" != 0 ] || somebody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
  cp "$INTRUDER" "$scratch/somebody"  # which another user may be able to execute
  chmod 755 "$scratch" "$scratch/somebody"
  : >"$scratch/job"
  : >"$scratch/intruder"
  # He uses the job's library and its provider.
  # shellcheck disable=SC2016  # expanded inside
  unshare "${as_root[@]}" --net env "${@:3}" provider="$provider" bash -c '
    ip link set lo up
    what=$1 seconds=$2 scratch=$3 oshrun=$4 besieged=$5; shift 5
    { timeout -k 5 100 "$oshrun" -n 2 --nodes 2 "$besieged" "$seconds" >"$scratch/job" 2>&1; echo "status $?" >>"$scratch/job"; } &
    LD_PRELOAD=$ATRIUM_LIBFABRIC ATRIUM_NET=$provider timeout -k 5 90 "$@" "$scratch/somebody" 0 "$seconds" "$what" >"$scratch/intruder" 2>&1
    wait' bash "$1" "$2" "$scratch" "$BUILD_TREE/bin/oshrun" "$BESIEGED" "${somebody[@]}"
}
function has { grep -qE "$1" "$scratch/$2"; }
function shown { echo "job:"; cat "$scratch/job"; echo "intruder:"; cat "$scratch/intruder"; }
function must { "$@" || { shown; complain "$*"; }; }
function must_not { ! "$@" || { shown; complain "not: $*"; }; }

function job_is_right { must has '^status 0$' job; must [ "$(grep -c 'all right' "$scratch/job")" = 2 ]; }

# Right, or ended with a word that somebody interferes. The intruder has got into it, or the test tries nothing.
function nothing_is_taken {
  must_not has 'found no job|fi_[a-z_]*: ' intruder
  must_not has 'confidential|read memory' intruder
  must_not has ' found 0x' job
  has '^status 0$' job || must has 'somebody' job
}

whoever_takes_connections_over_reads_and_writes_nothing() {
  besieged take_over 6 ATRIUM_NET_TIMEOUT=12 ATRIUM_ENGINE=libfabric
  nothing_is_taken
}
nor_does_he_over_another_provider() {
  need_provider net
  besieged take_over 5 ATRIUM_NET_TIMEOUT=12 ATRIUM_NET=net
  nothing_is_taken
}
a_message_of_a_stranger_longer_than_a_buffer_ends_nothing() {
  besieged long 4 ATRIUM_ENGINE=libfabric
  must has 'sent a message' intruder; must has 'could not be received' job; job_is_right
}
a_message_that_a_stranger_withdraws_ends_nothing() {
  besieged withdrawn 4 ATRIUM_ENGINE=libfabric
  must has 'sent a message' intruder; must has 'note: a message' job; job_is_right
}
a_message_of_a_stranger_is_ignored_and_told_once() {
  besieged garbage 4 ATRIUM_ENGINE=libfabric
  must has 'sent a message' intruder; must has 'does not belong to this job' job; job_is_right
}
# Without the token of an endpoint nobody comes so far as to send a frame.
strangers_at_the_ports_of_the_kernels_tcp_are_told_once_and_change_nothing() {
  need python3
  local as_root=()
  [ "$(id -u)" = 0 ] || as_root=(--user --map-root-user)
  unshare "${as_root[@]}" --net ip link set lo up 2>/dev/null || skip "no namespaces of the network can be made here"
  # shellcheck disable=SC2016  # expanded inside
  unshare "${as_root[@]}" --net env ATRIUM_ENGINE=tcp bash -c '
    ip link set lo up
    scratch=$1 oshrun=$2 besieged=$3 strangers=$4
    { timeout -k 5 100 "$oshrun" -n 2 --nodes 2 "$besieged" 4 >"$scratch/job" 2>&1; echo "status $?" >>"$scratch/job"; } &
    timeout -k 5 90 python3 "$strangers" 4 >"$scratch/intruder" 2>&1
    wait' bash "$scratch" "$BUILD_TREE/bin/oshrun" "$BESIEGED" "$SOURCE_TREE/tests/nodes/strangers.py"
  must has 'spoke [1-9]' intruder; must has 'note: a message' job; job_is_right
}
