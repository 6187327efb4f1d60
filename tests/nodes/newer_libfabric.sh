# Jobs over a libfabric that Debian 12 does not have (find_newer_libfabric.sh): a part of this suite. All of it, as in CI: .ci/run newer-libfabric
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_TREE/tests/nodes/on_hosts.sh"
patience=300

function with_newer_libfabric {
  need_libfabric
  ATRIUM_LIBFABRIC=$("$SOURCE_TREE/tests/nodes/find_newer_libfabric.sh" "${NEWER_MPIS:-$BUILD_TREE/newer_mpis}") || skip "$ATRIUM_LIBFABRIC"
  export ATRIUM_LIBFABRIC
}
# Neighbours, of which litmus programs make pairs, are of different nodes.
function run_all {
  local suite=$1 name; shift
  for name; do expect_status 0 oshrun -n 4 --nodes 2:cyclic "$BUILD_TREE/tests/$suite/${suite}_$name"; done
}

its_own_provider_for_tcp_is_chosen() {
  with_newer_libfabric
  expect_status 0 "$BUILD_TREE/bin/atrium-info" --fabric; expect grep -q '^  tcp  *chosen' "$scratch/out"
  SHMEM_INFO=1 expect_status 0 oshrun -n 5 --nodes 2+3 "$OPERATIONS"; expect grep -q '^between nodes *tcp,' "$scratch/out"
  ATRIUM_ENDPOINTS=1 expect_status 0 oshrun -n 4 --nodes 2 "$OPERATIONS"
}
the_contract_of_engines_holds_with_a_newer_libfabric() {
  [ -x "$CONTRACT" ] || skip "GoogleTest is not installed"
  with_newer_libfabric
  expect_status 0 "$CONTRACT" --gtest_filter='engine/*/tcp'
  expect grep -q '\[  PASSED  \]' "$scratch/out"
}
when_quiet_returns_the_data_is_there_with_a_newer_libfabric() {
  with_newer_libfabric
  expect_status 0 oshrun -n 2 --nodes 2 "$HONEST_QUIET"
}
# shellcheck disable=SC2086  # lists of words
{
conformance_with_a_newer_libfabric() { with_newer_libfabric; run_all conformance $CONFORMANCE; }
litmus_with_a_newer_libfabric() { with_newer_libfabric; run_all litmus $LITMUS; }
stress_with_a_newer_libfabric() { with_newer_libfabric; run_all stress $STRESS; }
}
hosts_are_joined_by_a_newer_libfabric() {
  with_newer_libfabric
  on_hosts 2 "${FUNCNAME[0]}"
  expect_status 0 oshrun -n 4 --hosts "$HOST_LIST" --agent "$HOST_AGENT %h" "$OPERATIONS"
  expect_status 0 oshrun -n 2 --hosts "$HOST_LIST" --agent "$HOST_AGENT %h" "$HONEST_QUIET"
}
