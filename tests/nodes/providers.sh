# What each provider that is here does, and not only the one that jobs take.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_TREE/tests/nodes/on_hosts.sh"
function is_usable { ATRIUM_NET=$1 "$BUILD_TREE/bin/atrium-info" --fabric 2>/dev/null | grep -q "^ *$1 .*chosen"; }
function with_each_provider {
  local provider tried=0
  for provider in kernel-tcp tcp 'tcp;ofi_rxm' net 'udp;ofi_rxd'; do
    if is_usable "$provider"; then ATRIUM_NET=$provider "$@" && tried=$((tried + 1)); fi
  done
  [ $tried != 0 ] || skip "no provider for IP networks is here"
}

# Some providers look at addresses and not at names, and would take another interface.
an_interface_that_is_not_there_is_an_error() {
  local interface; for interface in no-such0 192.0.2.177; do
    ATRIUM_LIBFABRIC='' ATRIUM_NET_INTERFACE=$interface expect_status 1 oshrun -n 2 --nodes 2 "$OPERATIONS"
    expect grep -q "because: this host has no interface $interface" "$scratch/err"
    expect grep -q 'try: .*ATRIUM_NET_INTERFACE' "$scratch/err"
    ATRIUM_LIBFABRIC='' ATRIUM_NET_INTERFACE=$interface expect_status 1 "$BUILD_TREE/bin/atrium-info" --fabric; expect grep -q "no interface $interface" "$scratch/out"
  done
}
nor_do_libfabrics_providers_take_another_interface() {
  need_libfabric
  local interface; for interface in no-such0 192.0.2.177; do
    ATRIUM_ENGINE=libfabric ATRIUM_NET_INTERFACE=$interface expect_status 1 oshrun -n 2 --nodes 2 "$OPERATIONS"
    expect grep -q "because: none of libfabric's providers fits on the interface $interface" "$scratch/err"
    expect grep -q 'try: .*ATRIUM_NET_INTERFACE' "$scratch/err"
    ATRIUM_ENGINE=libfabric ATRIUM_NET_INTERFACE=$interface expect_status 1 "$BUILD_TREE/bin/atrium-info" --fabric; expect grep -q "not on $interface" "$scratch/out"
  done
}
# As in a network namespace that nobody has set up.
an_interface_that_is_down_is_an_error() {
  unshare -rn true 2>/dev/null || skip "no namespaces of the network can be made here"
  expect_status 1 unshare -rn env ATRIUM_LIBFABRIC='' "$BUILD_TREE/bin/oshrun" -n 2 --nodes 2 "$OPERATIONS"
  expect grep -q 'because: the interface lo is down' "$scratch/err"; expect grep -q 'try: .*ip link set lo up' "$scratch/err"
  need_libfabric
  expect_status 1 unshare -rn env ATRIUM_ENGINE=libfabric "$BUILD_TREE/bin/oshrun" -n 2 --nodes 2 "$OPERATIONS"
  expect grep -q 'because: none .* on the interface lo, which is down' "$scratch/err"; expect grep -q 'try: .*ip link set lo up' "$scratch/err"
}
providers_that_the_environment_leaves_out_are_named_with_it() {
  need_libfabric
  ATRIUM_ENGINE=libfabric FI_PROVIDER=no-such expect_status 1 oshrun -n 2 --nodes 2 "$OPERATIONS"
  expect grep -q 'because: .*FI_PROVIDER=no-such' "$scratch/err"; expect grep -q 'try: .*unsetting FI_PROVIDER' "$scratch/err"
}

# It can open no library at run time.
a_static_program_spans_nodes() {
  "$BUILD_TREE/bin/oshcc" -static -I"$SOURCE_TREE/tests" "$SOURCE_TREE/tests/nodes/operations.c" -o "$scratch/static" 2>"$scratch/err" || skip "no static link here"
  ATRIUM_LIBFABRIC='' expect_status 0 oshrun -n 5 --nodes 2+3 "$scratch/static"
}

# The program looks into a process that is not its own.
function need_looks {
  oshrun -n 2 "$HONEST_QUIET" >"$scratch/out" 2>&1
  [ $? != 77 ] || skip "cannot trace processes here"
}

# Large data, too, for which connections are looked for.
all_operations_reach_other_nodes_where_proc_is_missing() {
  local without_proc=(unshare -rm sh -c 'mount -t tmpfs none /proc && exec "$@"' sh)
  "${without_proc[@]}" true 2>/dev/null || skip "no mounts of one's own here"
  without_leak_check expect_status 0 "${without_proc[@]}" "$BUILD_TREE/bin/oshrun" -n 2 --nodes 2 "$OPERATIONS"
}

each_provider_has_all_operations() {
  with_each_provider expect_status 0 oshrun -n 5 --nodes 2+3 "$OPERATIONS"
}
when_quiet_returns_the_data_is_in_the_targets_memory() {
  need_looks
  with_each_provider expect_status 0 oshrun -n 2 --nodes 2 "$HONEST_QUIET"
  ATRIUM_ENDPOINTS=1 expect_status 0 oshrun -n 4 --nodes 2:cyclic "$HONEST_QUIET"
}
when_quiet_returns_the_data_is_in_the_memory_of_the_other_host() {
  on_hosts 2 "${FUNCNAME[0]}"
  need_looks
  expect_status 0 across -n 2 "$HONEST_QUIET"
}
