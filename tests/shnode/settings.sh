# What the variables do, and what is said about wrong ones.
# SPDX-License-Identifier: BSD-3-Clause

function run_with { timeout -k 5 60 env "$@" "$BUILD_TREE/bin/oshrun" -n 4 "$SHNODE_ALL" x; }

info_says_what_was_chosen() {
  expect_status 0 run_with SHNODE_INFO=1 SHNODE_NODE_PES=3 SHNODE_PES_PER_LEADER=2 SHNODE_COLLECTIVES=1
  expect [ "$(grep -c '^shnode: nodes' "$scratch/out")" = 1 ]
  expect grep -q '^shnode: nodes *2, the largest of 3 PEs (pretended' "$scratch/out"
  expect grep -q '^shnode: leaders *3, one for at most 2 PEs' "$scratch/out"
  local way=direct
  [ "$(nproc)" -ge 4 ] || way='by Atrium, which must see them'
  expect grep -q "^shnode: put and get *$way" "$scratch/out"
}

info_says_that_atrium_must_see_the_calls() {
  expect_status 0 run_with SHNODE_INFO=1 ATRIUM_CHECK=1
  expect grep -q '^shnode: put and get *by Atrium, which must see them' "$scratch/out"
  expect [ "$(grep -c '^shnode: direct transfers' "$scratch/out")" = 0 ]
}

info_says_what_is_off() {
  expect_status 0 run_with SHNODE_INFO=1 SHNODE_RMA=0 SHNODE_COLLECTIVES=0
  expect grep -q '^shnode: put and get *by the system (SHNODE_RMA)' "$scratch/out"
  expect grep -q '^shnode: collectives *by Atrium, which knows the node (SHNODE_COLLECTIVES)' "$scratch/out"
  expect [ "$(grep -cE '^shnode: (leaders|direct transfers)' "$scratch/out")" = 0 ]
}

queries_that_are_switched_off_ask_shmem_ptr() {
  expect_status 0 run_with SHNODE_INFO=1 SHNODE_QUERIES=0
  expect grep -q '^shnode: queries *by shmem_ptr (SHNODE_QUERIES)' "$scratch/out"
  expect_status 0 timeout -k 5 60 "$BUILD_TREE/bin/oshrun" -n 3 "$SHNODE_QUERY"
  expect grep -q '^20 queries asked shmem_ptr 0 times' "$scratch/out"
  expect_status 0 timeout -k 5 60 env SHNODE_QUERIES=0 "$BUILD_TREE/bin/oshrun" -n 3 "$SHNODE_QUERY"
  expect grep -q '^20 queries asked shmem_ptr 20 times' "$scratch/out"
}

info_says_that_nothing_is_shared() {
  expect_status 0 run_with SHNODE_INFO=1 SHNODE_NODE_PES=1
  expect [ "$(grep -c 'by the system: nothing is shared' "$scratch/out")" = 2 ]
  expect [ "$(grep -cE '^shnode: (leaders|direct transfers)' "$scratch/out")" = 0 ]
}

a_wrong_value_is_named() {
  local wrong
  for wrong in SHNODE_RMA=perhaps SHNODE_NODE_PES=2,,3 SHNODE_NODE_PES=0 SHNODE_PES_PER_LEADER=-1 SHNODE_DIRECT_LIMIT=x; do
    expect_status 1 run_with "$wrong"
    expect grep -q "^shnode: $wrong is not understood" "$scratch/err"
    expect grep -q "^  because: it has to be " "$scratch/err"
  done
}

# Each PE has a CPU by its affinity mask as it is here, and not by the quota of the container.
who_waits_in_a_container_gives_up_the_cpu() {
  [ "$(nproc)" -ge 2 ] || { echo "one CPU alone: there is nothing for a quota to cut"; exit 77; }
  local quota words
  for quota in 1 2; do
    timeout -k 5 60 env SHNODE_INFO=1 bash "$SOURCE_TREE/tests/with_quota.sh" $quota "$BUILD_TREE/bin/oshrun" -n 2 "$SHNODE_ALL" x >"$scratch/out" ||
      { local status=$?; cat "$scratch/out"; exit $status; }
    words="spins first"
    [ $quota -gt 1 ] || words="gives up the CPU"
    expect grep -q "^shnode: waiting *$words: 2 PEs here, CPUs that they may use: $quota" "$scratch/out"
  done
}
