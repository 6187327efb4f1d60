# What the nodes of a job must decide alike, and do, or refuse.
# SPDX-License-Identifier: BSD-3-Clause

different_programs_on_two_nodes_are_refused() {
  expect_status 1 oshrun -n 4 --nodes 2 sh -c '[ $ATRIUM_JOB_PE -lt 2 ] && exec "$PLACEMENT" 0 0 1 1; exec "$OTHER"'
  expect grep -q 'node 1 ([^)]*) runs another program than node 0' "$scratch/err"
  expect grep -q 'try: .*same executable' "$scratch/err"
}
# As after a repair that went to one host only: the same static data, another build ID.
different_builds_on_two_nodes_are_refused() {
  expect_status 1 oshrun -n 4 --nodes 2 sh -c '[ $ATRIUM_JOB_PE -lt 2 ] && exec "$PLACEMENT" 0 0 1 1; exec "$REBUILT" 0 0 1 1'
  expect grep -q 'node 1 ([^)]*) runs another build of the program than node 0' "$scratch/err"
  expect grep -q 'try: .*copying the program' "$scratch/err"
}
different_versions_of_atrium_on_two_nodes_are_refused() {
  has_sanitizers && skip "a sanitizer's run time wants to be loaded first"
  [ -e "$BUILD_TREE/lib/libatrium.so" ] || skip "this build has no shared library"
  local version other
  version=$(sed -n 's/^#define SHMEM_VENDOR_STRING "\(.*\)"/\1/p' "$SOURCE_TREE/include/shmem/constants.h")
  other=${version//[0-9]/9}
  sed "s/${version//./\\.}/$other/" "$BUILD_TREE/lib/libatrium.so" >"$scratch/libatrium.so.1"
  OTHER_LIBRARY=$scratch/libatrium.so.1 expect_status 1 oshrun -n 4 --nodes 2 sh -c '
    [ $ATRIUM_JOB_PE -lt 2 ] || export LD_PRELOAD="$OTHER_LIBRARY"; exec "$PLACEMENT" 0 0 1 1'
  expect grep -q 'node 1 ([^)]*) has another version of Atrium than node 0' "$scratch/err"
  expect grep -q "because: its library is $other" "$scratch/err"; expect grep -q 'try: .*the same version' "$scratch/err"
}
# As AArch64's kernels may have; where only getpagesize() has to say so.
different_pages_on_two_nodes_are_refused() {
  has_sanitizers && skip "a sanitizer's run time wants to be loaded first"
  echo 'int getpagesize(void) { return 1 << 16; }' >"$scratch/pages.c"; compile_library pages
  OTHER_PAGES=$scratch/pages.so expect_status 1 oshrun -n 2 --nodes 2 sh -c '
    [ $ATRIUM_JOB_PE = 0 ] || export LD_PRELOAD="$OTHER_PAGES"; exec "$PLACEMENT" 0 1'
  expect grep -q 'node 1 ([^)]*) has pages of 64K, and node 0 ([^)]*) of 4K' "$scratch/err"; expect grep -q 'try: .*getconf PAGESIZE' "$scratch/err"
}
# As under a launcher that hands on no variables, or with a script that sets one for the PE that is looked at.
checks_that_one_pe_asks_for_are_done_by_all() {
  local nodes
  for nodes in '0 0 0 0' '0 0 1 1'; do
    NODE_OF_EACH=$nodes expect_status 0 timeout -k 5 60 "$BUILD_TREE/bin/oshrun" -n 4 --nodes $((1 + ${nodes: -1})) sh -c '
      [ $ATRIUM_JOB_PE != 3 ] || export ATRIUM_CHECK=1 ATRIUM_LEAKS=1; exec "$PLACEMENT" $NODE_OF_EACH'
  done
}
settings_that_pes_must_have_alike_and_have_not_are_refused() {
  local whose
  for whose in '= 3' '-gt 1'; do # another one than its node's first, or a whole node
    WHOSE=$whose expect_status 1 oshrun -n 4 --nodes 2 sh -c '
      [ $ATRIUM_JOB_PE $WHOSE ] && export SHMEM_REDUCE_ALGORITHM=push ATRIUM_LEADERS=2; exec "$PLACEMENT" 0 0 1 1'
    expect grep -q 'the PEs of this job were given different settings' "$scratch/err"
    expect grep -qE 'because: .*here (nothing is set|SHMEM_REDUCE_ALGORITHM=push ATRIUM_LEADERS=2), and elsewhere' "$scratch/err"
  done
}
# As with hosts that have different versions of libfabric, under whichever launcher.
different_providers_on_two_nodes_are_refused() {
  need_libfabric; need_provider net
  expect_status 1 oshrun -n 4 --nodes 2 sh -c '[ $ATRIUM_JOB_PE -lt 2 ] || export ATRIUM_NET=net; exec "$PLACEMENT" 0 0 1 1'
  expect grep -q 'node 1 ([^)]*) and node 0 ([^)]*) have chosen different network providers' "$scratch/err"
  expect grep -q 'because: one reaches other nodes by the provider net' "$scratch/err"; expect grep -q 'try: .*the same libfabric' "$scratch/err"
}
all_nodes_have_the_heap_that_the_smallest_can_hold() {
  expect_status 0 oshrun -n 4 --nodes 2 sh -c '
    SHMEM_SYMMETRIC_SIZE=$((ATRIUM_JOB_PE < 2 ? 32 : 16))M exec "$HEAP" 16777216'
}
# Pretended nodes lie on one machine: 24 MiB for each of four PEs, as on one node, where 100 MB are for all of them.
pretended_nodes_share_the_memory_of_a_container() {
  unshare -rm true 2>/dev/null || skip "no mounts of one's own here"
  mkdir "$scratch/groups"; echo 100000000 >"$scratch/groups/memory.max"
  local nodes
  for nodes in 1 2; do
    expect_status 0 unshare -rm bash -c 'mount --bind "$0" /sys/fs/cgroup && exec "$@"' "$scratch/groups" \
      timeout 60 "$BUILD_TREE/bin/oshrun" -n 4 --nodes $nodes "$HEAP" 25165824 or-less
  done
}
a_pe_that_crashes_is_named_and_not_the_connections_that_it_had() {
  local attempt # the others do not always notice in time
  for attempt in 1 2 3 4 5 6; do
    expect_status 139 oshrun -n 3 --nodes 3 "$CRASH"; expect grep -q 'PE 2 .* was ended by signal 11' "$scratch/err"
    expect [ "$(grep -c '^atrium: PE' "$scratch/err")" = 0 ]
  done
}
# As libpsm2 has one, which prints, and then waits in exit() for the library that is just being loaded.
an_abort_of_the_network_library_ends_the_job_whatever_handler_it_has() {
  cat >"$scratch/aborts.c" <<'END'
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
static void wait_for_ever(int signal) { for (;;) pause(); }
__attribute__((constructor)) static void begin(void) { signal(SIGABRT, wait_for_ever); }
int fi_getinfo(void) { abort(); }
END
  compile_library aborts -Wl,--no-as-needed -l:libfabric.so.1
  ! oshrun -n 2 --nodes 2 env ATRIUM_ENGINE=libfabric "$PLACEMENT" 0 1 2>&1 | grep 'needs 1.15' || skip "libfabric is older than 1.15 here"
  ATRIUM_LIBFABRIC=$scratch/aborts.so expect_status 134 oshrun -n 2 --nodes 2 "$PLACEMENT" 0 1
  expect grep -q 'was ended by signal 6' "$scratch/err"
}
a_number_of_nodes_that_is_none_is_refused() {
  expect_status 2 oshrun -n 2 --nodes none "$PLACEMENT"; expect grep -q 'nodes' "$scratch/err"
  ATRIUM_NODES=x expect_status 2 oshrun -n 2 "$PLACEMENT"; expect grep -q "'x'" "$scratch/err"
}
a_job_on_one_node_has_no_bell() {
  expect_status 0 oshrun -n 2 sh -c 'test -z "$ATRIUM_JOB_BELL"'
  expect_status 0 oshrun -n 4 --nodes 2 sh -c 'case $ATRIUM_JOB_PE in 0 | 2) test -n "$ATRIUM_JOB_BELL" ;; *) test -z "$ATRIUM_JOB_BELL" ;; esac'
}
# An endpoint takes a socket for one of each other node. The hard limit, as a user cannot raise it.
connections_that_the_limit_on_open_files_does_not_allow_are_refused_at_the_start() {
  (ulimit -n 70; expect_status 1 oshrun -n 8 --nodes 8 "$PLACEMENT" 0 1 2 3 4 5 6 7) || exit 1
  expect grep -q 'cannot connect to 7 endpoints of other nodes' "$scratch/err"; expect grep -q 'try: *ulimit -Hn 71' "$scratch/err"
  (ulimit -n 70; expect_status 0 oshrun -n 8 --nodes 2 "$PLACEMENT" 0 0 0 0 1 1 1 1) || exit 1
  (ulimit -Sn 70; expect_status 0 oshrun -n 8 --nodes 8 "$PLACEMENT" 0 1 2 3 4 5 6 7) || exit 1
}
