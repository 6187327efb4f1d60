# PEs that use a neighbour's endpoint.

owners_that_compute_serve_all_the_same() {
  local wait; for wait in auto block; do
    ATRIUM_WAIT=$wait ATRIUM_ENDPOINTS=1 expect_status 0 oshrun -q -n 4 --nodes 2 "$SHARED" computing
  done
}
an_owner_that_is_killed_ends_those_who_wait_for_it() {
  ATRIUM_ENDPOINTS=1 expect_status 137 oshrun -n 4 --nodes 2 "$SHARED" killed
  expect grep -q 'PE 0 .* was ended by signal 9' "$scratch/err"
}
information_says_how_many_endpoints_there_are_and_why() {
  SHMEM_INFO=1 ATRIUM_ENDPOINTS=1 expect_status 0 oshrun -q -n 4 --nodes 2 "$OPERATIONS"
  expect grep -q '^between nodes .* 1 endpoint for 2 PEs of a node (ATRIUM_ENDPOINTS=1)' "$scratch/out"
  SHMEM_INFO=1 ATRIUM_ENDPOINTS=auto expect_status 0 oshrun -q -n 4 --nodes 2 "$OPERATIONS"
  expect grep -q '^between nodes .* 2 endpoints for 2 PEs of a node (auto' "$scratch/out"
  SHMEM_INFO=1 ATRIUM_ENDPOINTS=auto expect_status 0 oshrun -q -n 12 --nodes 2 "$OPERATIONS"
  expect grep -q '^between nodes *kernel-tcp, 6 endpoints for 6 PEs of a node (auto: each PE has one)' "$scratch/out"
}
