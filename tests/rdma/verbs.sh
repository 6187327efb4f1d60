# Jobs over verbs;ofi_rxm on a device of Soft-RoCE, and what becomes of those that cannot use it.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_TREE/tests/rdma/machine.sh"

# With its remarks, which the cases' own oshrun leaves out.
job=(timeout -k 5 "$patience" "$BUILD_TREE/bin/oshrun" -n 4 --nodes 2)
function over_verbs { ATRIUM_NET='verbs;ofi_rxm' "$@"; }
function says { expect grep -q -- "$1" <(cat "$scratch/out" "$scratch/err"); }
function names_the_card { [ "$(cat "$scratch/out" "$scratch/err" | grep -c 'RDMA device (rxe0)')" = "$1" ]; }
# `goes_by PROVIDER COMMAND...`: a job that COMMAND starts, if there is one.
function goes_by { SHMEM_INFO=1 expect_status 0 "${@:2}" "${job[@]}" "$OPERATIONS"; says "between nodes *$1,"; }
function goes_past_the_card_because { goes_by kernel-tcp "${@:2}"; expect names_the_card 1; says "RDMA device (rxe0): verbs;ofi_rxm .*$1"; }
function is_in_the_table { expect_status 0 "${@:2}" "$BUILD_TREE/bin/atrium-info" --fabric; expect grep -q "^  verbs;ofi_rxm  *$1" "$scratch/out"; }
function run_over_verbs {
  local suite=$1 nodes=$2 name; shift 2
  for name; do over_verbs expect_status 0 oshrun -n 4 --nodes "$nodes" "$BUILD_TREE/tests/$suite/${suite}_$name"; done
}
# Without root's right to pin as much as it likes.
function as_user_with { bash -c 'ulimit -l "$1" && shift && exec setpriv --reuid someone --regid 1000 --clear-groups --inh-caps=-all "$@"' as_user "$@"; }

verbs_is_what_is_chosen() {
  in_a_machine "${FUNCNAME[0]}"
  is_in_the_table chosen; expect names_the_card 0
  goes_by 'verbs;ofi_rxm'; expect names_the_card 0
}
all_operations_work() {
  in_a_machine "${FUNCNAME[0]}"
  over_verbs expect_status 0 oshrun -n 5 --nodes 2+3 "$OPERATIONS"
  ATRIUM_ENDPOINTS=1 over_verbs expect_status 0 oshrun -n 4 --nodes 2 "$OPERATIONS"
  ATRIUM_ENDPOINTS=all over_verbs expect_status 0 oshrun -n 6 --nodes 2:cyclic "$OPERATIONS"
}
when_quiet_returns_the_data_is_in_the_targets_memory() {
  in_a_machine "${FUNCNAME[0]}"
  over_verbs expect_status 0 oshrun -n 2 --nodes 2 "$HONEST_QUIET"
}
litmus_programs_see_nothing_that_is_forbidden() {
  in_a_machine "${FUNCNAME[0]}"
  export TEST_ROUNDS=0.005
  run_over_verbs litmus 2:cyclic message_passing streaming store_buffering many_to_one
}
transfers_signals_and_threads_are_as_specified() {
  in_a_machine "${FUNCNAME[0]}"
  run_over_verbs conformance 2 rma_contiguous rma_strided signal threads
}
atomics_and_collectives_are_as_specified() {
  in_a_machine "${FUNCNAME[0]}"
  export TEST_ROUNDS=0.05
  run_over_verbs conformance 2 atomic_types atomic_concurrent coll_types coll_reduce
}
the_default_heap_is_pinned() {
  in_a_machine "${FUNCNAME[0]}"
  over_verbs expect_status 0 oshrun -n 4 --nodes 2 "$HEAP" $((1 << 30)) or-less
}
memory_that_was_freed_and_is_taken_again_is_reached() {
  in_a_machine "${FUNCNAME[0]}"
  SHMEM_SYMMETRIC_SIZE=64M over_verbs expect_status 0 oshrun -n 2 --nodes 2 "$REUSED"
}
what_a_user_may_not_pin_is_said_and_tcp_is_taken() {
  in_a_machine "${FUNCNAME[0]}"
  goes_past_the_card_because 'cannot be opened (at least [0-9]*M of memory would be pinned .* ulimit -l allows 64K' as_user_with 64
  is_in_the_table 'cannot be opened .* ulimit -l allows 64K' as_user_with 64
  over_verbs expect_status 1 as_user_with 64 "${job[@]}" "$OPERATIONS"; says 'because: verbs;ofi_rxm cannot be opened: at least .* ulimit -l allows 64K'
}
heaps_are_what_a_user_may_pin() {
  in_a_machine "${FUNCNAME[0]}"
  goes_by 'verbs;ofi_rxm' as_user_with 512000
  expect_status 0 as_user_with 512000 "${job[@]}" "$HEAP" $((240 << 20)) or-less
  goes_by 'verbs;ofi_rxm' as_user_with unlimited
}
a_host_without_connections_for_verbs_is_told_why() {
  in_a_machine "${FUNCNAME[0]}"
  expect modprobe -r rdma_ucm; sysctl -q kernel.modprobe=/bin/false # it would come back when it is asked for
  goes_past_the_card_because 'rdma_cm: No such file or directory (the module rdma_ucm'
  is_in_the_table 'not usable .*rdma_cm: No such file'
}
a_host_that_does_not_know_localhost_is_told_why() {
  in_a_machine "${FUNCNAME[0]}"
  rm /etc/hosts
  goes_past_the_card_because 'the name localhost has no address'
}
a_link_that_is_down_is_told() {
  in_a_machine "${FUNCNAME[0]}"
  ip link set cable down; expect_soon grep -q DOWN /sys/class/infiniband/rxe0/ports/1/state
  goes_past_the_card_because 'no port of rxe0 is active'
}
a_pe_that_is_killed_ends_the_job_over_verbs() {
  in_a_machine "${FUNCNAME[0]}"
  over_verbs start_oshrun -n 4 --nodes 2 "$RESTLESS" put >"$scratch/out" 2>"$scratch/err"
  expect_soon pgrep -x restless; sleep 10
  expect pkill -9 -n -x restless
  wait "$launcher"; expect [ $? = 137 ]; launcher=
  expect grep -q 'was ended by signal 9' "$scratch/err"
}
