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
  OWN_KEYS=1 ATRIUM_NET=net strictly expect_status 0 oshrun -n 5 --nodes 2+3 "$OPERATIONS"
  OWN_KEYS=1 ATRIUM_NET=net strictly expect_status 0 oshrun -n 4 --nodes 2:cyclic "$RMA"
}
