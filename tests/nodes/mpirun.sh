# Jobs of Open MPI's mpirun over hosts that are made of namespaces, when something goes wrong: PEs find it out by themselves.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_TREE/tests/nodes/on_hosts.sh"
. "$SOURCE_TREE/tests/mpi/hosts/find_openmpi.sh"
soon=60  # seconds: up to 18 PEs that never rest start on the CPUs of one machine

# `start_mpirun PES PROGRAM [ARGUMENT...]`: so many on each host.
function start_mpirun {
  local pes=$1 name forwarded=() where; shift
  . "$SOURCE_TREE/tests/mpi/hosts/openmpi.sh"; place_on_hosts "$pes"
  for name in $(compgen -e | grep -E '^(ATRIUM|SHMEM)_|SAN_OPTIONS$'); do forwarded+=(-x "$name"); done
  "$openmpi" "${forwarded[@]}" "${where[@]}" -n $((${#hosts[@]} * pes)) "$@" >"$scratch/out" 2>"$scratch/err" &
  launcher=$!
}
function with_mpirun {
  find_openmpi || skip "there is no mpirun of Open MPI"
  on_hosts "$@"
}
the_network_that_all_hosts_of_mpirun_share_is_taken() {
  with_mpirun 3 "${FUNCNAME[0]}"
  give_own_networks
  start_mpirun 6 "$OPERATIONS"; wait "$launcher"; expect [ $? = 0 ]
  ATRIUM_NET_INTERFACE=own0 start_mpirun 1 "$OPERATIONS"; wait "$launcher"; expect [ $? != 0 ]; expect grep -q 'Network is unreachable' "$scratch/err"
  ATRIUM_NET_INTERFACE=net0 start_mpirun 1 "$OPERATIONS"; wait "$launcher"; expect [ $? = 0 ]
}
# mpirun hears all three hosts, and has nothing to complain of.
a_network_that_is_cut_ends_the_job_of_mpirun() {
  with_mpirun 3 "${FUNCNAME[0]}"
  for way in put barrier; do
    join_again 1; join_again 2
    start_mpirun 2 "$RESTLESS" $way
    cut_when_served 6 1 2
    all_go_soon; wait "$launcher"; expect [ $? != 0 ]; expect is_told_unreachable
    export ATRIUM_WAIT=yield
  done
}
# A PE that waits for another one has asked its kernel, which has answered: the cut comes later in the same silence.
function signal_pes_of { "$HOST_AGENT" "${hosts[$2]}" "for pe in \$(pgrep -x restless); do [ \$(readlink /proc/\$pe/ns/net) != \$(readlink /proc/self/ns/net) ] || kill -$1 \$pe; done"; }
a_network_that_is_cut_while_pes_are_stopped_ends_the_job_of_mpirun() {
  with_mpirun 3 "${FUNCNAME[0]}"
  start_mpirun 2 "$RESTLESS" put
  expect_soon endpoints_serve 6; signal_pes_of STOP 2
  sleep 6; cut 1 2; cut 2 1; sleep 1; signal_pes_of CONT 2
  all_go_soon; wait "$launcher"; expect [ $? != 0 ]; expect is_told_unreachable
}
# Who is left of it may still say something; not where the next one is heard.
function forget_mpirun { kill -KILL "$launcher"; pkill -KILL -x 'orted|prted'; launcher=; rm -f "$scratch/err"; }
# ... where it hears the other host no more, nor do the PEs of that host hear it: PEs of which some have no endpoint. In a lock
# there is now and then nothing that a host's PEs have asked of the other's.
a_host_that_is_cut_off_from_mpirun_ends_its_pes_by_itself() {
  with_mpirun 2 "${FUNCNAME[0]}"
  for way in barrier lock lock; do
    join_again 0; join_again 1
    ATRIUM_ENDPOINTS=4 start_mpirun 9 "$RESTLESS" $way
    cut_when_served 8 0 1
    all_go_soon; expect is_told_unreachable; forget_mpirun
  done
}
# Long before the first message: PEs wait for others of their host, and for PMIx.
a_start_that_is_cut_ends_the_pes_of_both_hosts() {
  with_mpirun 2 "${FUNCNAME[0]}"
  start_mpirun 6 "$RESTLESS" barrier
  expect_soon nodes_watch 2; cut 0 1; cut 1 0
  all_go_soon; expect is_told_unreachable; forget_mpirun
}
# Two switches, of two hosts each, that have lost each other.
halves_of_a_network_each_end_their_pes() {
  with_mpirun 4 "${FUNCNAME[0]}"
  start_mpirun 2 "$RESTLESS" lock
  expect_soon endpoints_serve 8
  for here in 0 1; do for there in 2 3; do cut $here $there; cut $there $here; done; done
  all_go_soon; expect is_told_unreachable; forget_mpirun
}
# For longer than a network may be cut; and a link is away for a moment. The thread of the PE that is stopped may not have its name yet.
a_pe_of_mpirun_that_is_stopped_is_waited_for() {
  with_mpirun 2 "${FUNCNAME[0]}"
  start_mpirun 2 "$STOPPED_PE" 12
  expect_soon three_endpoints_serve; sleep 5; cut 0 1; cut 1 0; sleep 2; join_again 0; join_again 1
  wait "$launcher"; expect [ $? = 0 ]
  sed -i '/note: node 1 (host2) has not answered for 10 s/d' "$scratch/err"; expect nothing_is_said
}
function three_endpoints_serve { [ "$(threads_called atrium-net)" -ge 3 ]; }
