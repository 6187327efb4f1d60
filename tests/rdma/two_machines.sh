# Jobs over verbs;ofi_rxm between two machines: what is sent leaves one, and arrives at the other.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_TREE/tests/rdma/machine.sh"

function across { oshrun --hosts machine1,machine2 "$@"; }
function over_verbs { ATRIUM_NET='verbs;ofi_rxm' "$@"; }
function run_across {
  local suite=$1 name; shift
  for name; do over_verbs expect_status 0 across -n 4 --map-by node -x TEST_ROUNDS -x TEST_TYPES "$BUILD_TREE/tests/$suite/${suite}_$name"; done
}
function start_restless {
  over_verbs start_oshrun --hosts machine1,machine2 -n 4 "$RESTLESS" put >"$scratch/out" 2>"$scratch/err"
  expect_soon at_work; sleep 10; expect [ ! -s "$scratch/err" ]
}
function at_work { pgrep -x restless && ssh machine2 pgrep -x restless; } >/dev/null
function has_ended { wait "$launcher"; ended=$?; launcher=; expect [ $ended = "$1" ]; expect grep -Eq -- "$2" "$scratch/err"; }
function nobody_is_left_there { ! ssh machine2 pgrep -x restless >/dev/null; }

verbs_is_chosen_between_two_machines_and_has_all_operations() {
  on_two_machines "${FUNCNAME[0]}"
  ATRIUM_QUIET=0 SHMEM_INFO=1 expect_status 0 timeout "$patience" "$BUILD_TREE/bin/oshrun" --hosts machine1,machine2 -n 4 "$OPERATIONS"
  expect grep -q 'between nodes *verbs;ofi_rxm,' "$scratch/out"; expect [ ! -s "$scratch/err" ]
  ATRIUM_ENDPOINTS=1 over_verbs expect_status 0 across -n 4 --map-by node "$OPERATIONS"
}
litmus_programs_see_nothing_that_is_forbidden_between_two_machines() {
  on_two_machines "${FUNCNAME[0]}"
  export TEST_ROUNDS=0.005
  run_across litmus message_passing store_buffering many_to_one
}
a_machine_without_connections_for_verbs_takes_both_to_tcp() {
  on_two_machines "${FUNCNAME[0]}"
  ssh machine2 'modprobe -r rdma_ucm; sysctl -q kernel.modprobe=/bin/false'
  SHMEM_INFO=1 expect_status 0 timeout "$patience" "$BUILD_TREE/bin/oshrun" --hosts machine1,machine2 -n 4 "$OPERATIONS"
  expect grep -q 'between nodes *kernel-tcp,' "$scratch/out"
  expect grep -q 'RDMA device (rxe0): verbs;ofi_rxm is passed over (another node cannot use it)' <(cat "$scratch/out" "$scratch/err")
}
a_cable_that_is_pulled_ends_the_job() {
  on_two_machines "${FUNCNAME[0]}"
  start_restless
  ip link set roce0 down
  has_ended 1 'the network was cut|cannot be reached'
  expect_soon nobody_is_left_there
}
a_machine_that_is_switched_off_ends_the_job() {
  on_two_machines "${FUNCNAME[0]}"
  start_restless
  ssh machine2 '(sleep 2; echo b >/proc/sysrq-trigger) >/dev/null 2>&1 </dev/null &' # who tells it so has gone by then
  has_ended 1 'host machine2 (does not answer|is lost)'
}
