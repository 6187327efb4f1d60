# Networks that pin what is registered with them, as nodes_strict_fabric makes of libfabric's providers for IP networks.
# SPDX-License-Identifier: BSD-3-Clause
function strictly { need_libfabric; ATRIUM_LIBFABRIC=$STRICT "$@"; }

a_default_heap_that_is_pinned_is_small() {
  strictly expect_status 0 oshrun -n 4 --nodes 2 "$HEAP" $((1 << 30)) or-less
}
memory_that_cannot_be_registered_says_what_to_try() {
  REGISTERS_AT_MOST=200000000 strictly expect_status 1 oshrun -n 4 --nodes 2 "$OPERATIONS"
  expect grep -q 'cannot use the network provider' "$scratch/err"; expect grep -q 'registering [0-9]* MiB of memory' "$scratch/err"
  expect grep -q 'try: .*SHMEM_SYMMETRIC_SIZE, or ulimit -l unlimited' "$scratch/err"
  REGISTERS_AT_MOST=400000000 SHMEM_SYMMETRIC_SIZE=16M strictly expect_status 0 oshrun -n 4 --nodes 2 "$OPERATIONS"
}
# Of two PEs, 64 MiB of system area each among it; in the segment they are twice as far from end to end.
only_the_memory_of_pes_is_registered() {
  REGISTERS_AT_MOST=200000000 SHMEM_SYMMETRIC_SIZE=16M strictly expect_status 0 oshrun -n 4 --nodes 2 "$OPERATIONS"
}
# As cards have them. Of the providers that are here, only this one can.
keys_and_addresses_may_be_the_providers() {
  need_provider net
  OWN_KEYS=1 ATRIUM_NET=net strictly expect_status 0 oshrun -n 5 --nodes 2+3 "$OPERATIONS"
  OWN_KEYS=1 ATRIUM_NET=net strictly expect_status 0 oshrun -n 4 --nodes 2:cyclic "$RMA"
}
# Choosing is opening: what answers and cannot be opened is passed over, with its reason, by all nodes alike.
a_provider_that_cannot_be_opened_is_passed_over() {
  VERBS=works strictly expect_status 0 "$BUILD_TREE/bin/atrium-info" --fabric; expect grep -q '^  provider  *verbs;ofi_rxm' "$scratch/out"
  VERBS=fails strictly expect_status 0 "$BUILD_TREE/bin/atrium-info" --fabric
  expect grep -q '^  verbs;ofi_rxm *cannot be opened *fi_fabric: Invalid argument' "$scratch/out"; expect grep -q '^  provider  *tcp' "$scratch/out"
  VERBS=fails SHMEM_INFO=1 strictly expect_status 0 oshrun -n 4 --nodes 2 "$OPERATIONS"; expect grep -q 'between nodes *tcp' "$scratch/out"
  VERBS=fails ATRIUM_NET='verbs;ofi_rxm' ATRIUM_LIBFABRIC=$STRICT expect_status 1 oshrun -n 2 --nodes 2 "$OPERATIONS"
  expect grep -q 'because: verbs;ofi_rxm cannot be opened: fi_fabric: Invalid argument' "$scratch/err"
}
a_provider_that_one_node_cannot_open_is_taken_by_none() {
  local first_without
  VERBS=works SHMEM_INFO=1 strictly expect_status 0 oshrun -n 4 --nodes 2 "$OPERATIONS"; expect grep -q 'between nodes *verbs' "$scratch/out"
  for first_without in 0 2; do
    SHMEM_INFO=1 strictly expect_status 0 oshrun -n 5 --nodes 2+3 sh -c '
      [ $((ATRIUM_JOB_PE < 2)) = $(('$first_without' < 2)) ] && export VERBS=fails || export VERBS=works; exec "$OPERATIONS"'
    expect grep -q 'between nodes *tcp' "$scratch/out"
  done
}
a_card_that_a_job_does_not_use_is_named_once_with_the_reason() {
  unshare -rm true 2>/dev/null || skip "no mounts of one's own here"
  mkdir -p "$scratch/class/infiniband/mlx5_9/ports/1" "$scratch/class/net"; echo "4: ACTIVE" >"$scratch/class/infiniband/mlx5_9/ports/1/state"
  function beside_a_card { strictly expect_status 0 unshare -rm bash -c 'mount --bind "$0" /sys/class && exec "$@"' "$scratch/class" "$@"; }
  VERBS=fails beside_a_card timeout 60 "$BUILD_TREE/bin/oshrun" -n 4 --nodes 2 "$OPERATIONS"
  expect [ "$(cat "$scratch/out" "$scratch/err" | grep -c 'RDMA device (mlx5_9)')" = 1 ]
  expect grep -q 'mlx5_9.*verbs;ofi_rxm cannot be opened (fi_fabric: Invalid argument)' <(cat "$scratch/out" "$scratch/err")
  beside_a_card timeout 60 "$BUILD_TREE/bin/oshrun" -n 4 --nodes 2 sh -c '
    [ "$ATRIUM_JOB_PE" -ge 2 ] && export VERBS=fails || export VERBS=works; exec "$OPERATIONS"'
  expect grep -q 'mlx5_9.*verbs;ofi_rxm is passed over (another node cannot use it)' <(cat "$scratch/out" "$scratch/err")
  ATRIUM_NET='tcp;ofi_rxm' beside_a_card timeout 60 "$BUILD_TREE/bin/oshrun" -n 4 --nodes 2 "$OPERATIONS"
  expect [ "$(cat "$scratch/out" "$scratch/err" | grep -c 'RDMA device')" = 0 ]
}
