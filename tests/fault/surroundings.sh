# Small, bare and hostile places.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317  # PEs expand their own variables; cases are called by name

# in_namespace COMMANDS: as root of a mount namespace of its own.
function in_namespace { unshare -m bash -c "$1; exec \"\$@\"" - "${@:2}"; }
function need_another_user { need setpriv; [ "$(id -u)" = 0 ] || skip "only root can become another user"; }
function need_namespaces { unshare -m mount -t tmpfs none /mnt 2>/dev/null || skip "no mount namespaces here"; }

a_tiny_shared_memory_file_system_is_enough() {
  need_namespaces
  expect_status 0 in_namespace 'mount -t tmpfs -o size=1M none /dev/shm' timeout 60 "$BUILD_TREE/bin/oshrun" -q -n 3 "$FILLER" 64
}
a_container_that_lets_nobody_place_memory_ignores_hints() {
  local without_mbind=(python3 "$SOURCE_TREE/tests/fault/without_call.py" mbind)
  need python3; "${without_mbind[@]}" true 2>/dev/null || skip "seccomp filters cannot be set here"
  expect_status 0 "${without_mbind[@]}" "$BUILD_TREE/bin/oshrun" -n 2 "$PLACED" refused; expect [ ! -s "$scratch/err" ]
  expect_status 0 "${without_mbind[@]}" "$BUILD_TREE/bin/oshrun" --check -n 2 "$PLACED" refused
  expect grep -q 'warning: shmem_malloc_with_hints cannot place a block as it is hinted: mbind: Operation not permitted (' "$scratch/err"
}
what_atrium_info_says_of_memory_is_what_it_tried() {
  local without=(python3 "$SOURCE_TREE/tests/fault/without_call.py" memfd_create)
  need python3; "${without[@]}" true 2>/dev/null || skip "seccomp filters cannot be set here"
  expect_status 0 "$BUILD_TREE/bin/atrium-info"; expect grep -q '^  segment memfd  *works$' "$scratch/out"
  expect_status 0 "${without[@]}" "$BUILD_TREE/bin/atrium-info"
  expect grep -q '^  segment memfd  *works by a file without a name in /dev/shm (memfd_create: Operation not permitted)$' "$scratch/out"
  need_namespaces
  expect_status 0 in_namespace 'mount -t tmpfs -o ro none /dev/shm; mount -t tmpfs none /tmp' "${without[@]}" "$BUILD_TREE/bin/atrium-info"
  expect grep -q '^  segment memfd  *works by a file without a name in /tmp (memfd_create: ' "$scratch/out"
  expect grep -q '^  segment posix  *no: ' "$scratch/out"
}
a_locale_with_decimal_commas_changes_no_setting() {
  localedef -i de_DE -f UTF-8 "$scratch/de_DE.UTF-8" 2>/dev/null
  [ -d "$scratch/de_DE.UTF-8" ] || { echo "no locales here"; exit 77; }
  SHMEM_SYMMETRIC_SIZE=16.5M expect_status 0 oshrun -n 2 env "LOCPATH=$scratch" LC_ALL=de_DE.UTF-8 "$FILLER" 8
}
# Where the kernel promises no more memory than it has, a heap of the machine's size ends in SIGBUS where it is touched.
what_the_kernel_promises_limits_the_heap() {
  need_namespaces
  echo 2 >"$scratch/two"; sed 's/^CommitLimit:.*/CommitLimit: 262144 kB/; s/^Committed_AS:.*/Committed_AS: 0 kB/' /proc/meminfo >"$scratch/meminfo"
  local promised="mount --bind $scratch/two /proc/sys/vm/overcommit_memory && mount --bind $scratch/meminfo /proc/meminfo || exit 9"
  expect_status 0 in_namespace "$promised" "$BUILD_TREE/bin/oshrun" -q -n 2 "$FILLER" 120
  expect_status 3 in_namespace "$promised" "$BUILD_TREE/bin/oshrun" -q -n 2 "$FILLER" 140
  expect grep -q 'the 2 PEs of this machine would take 280M, and it has 256M (.*vm.overcommit_memory=2' "$scratch/err"
}
# Those that wait look again in naps whose length grows with the PEs of a CPU, as later in the job: a thousand a second of each are
# more than two CPUs can do for 300 PEs, and those that are late come even later. Counted by the last to come.
pes_that_wait_for_late_ones_leave_them_the_cpus() {
  need taskset
  local cpu
  cpu=$(taskset -cp $$) cpu=${cpu##*[ ,-]}
  expect_status 0 taskset -c "$cpu" timeout -k 5 "$patience" "$BUILD_TREE/bin/oshrun" -q -n 16 sh -c '
    [ $ATRIUM_JOB_PE != 0 ] || { sleep 2; grep -h ^voluntary $(sed "s|[0-9][0-9]*|/proc/&/status|g" /proc/$PPID/task/$PPID/children); }
    exec "$FILLER" 1'
  expect [ "$(grep -c ^voluntary "$scratch/out")" -ge 16 ]
  expect [ "$(awk '/^voluntary/ && $2 > 300' "$scratch/out" | wc -l)" = 0 ]
}
a_full_shared_memory_file_system_refuses_blocks_and_teams() {
  need_namespaces; export ATRIUM_SEGMENT=posix
  expect_status 0 in_namespace 'mount -t tmpfs -o size=4M none /dev/shm' timeout 60 "$BUILD_TREE/bin/oshrun" -q -n 3 "$FILLER" all
}
# Then the job's own pages lie there, too. None of them may be missing when the program has taken the rest.
a_container_without_memory_files_may_fill_its_shared_memory() {
  need_namespaces
  local without=(python3 "$SOURCE_TREE/tests/fault/without_call.py" memfd_create)
  need python3; "${without[@]}" true 2>/dev/null || skip "seccomp filters cannot be set here"
  expect_status 0 in_namespace 'mount -t tmpfs -o size=4M none /dev/shm' "${without[@]}" timeout 60 "$BUILD_TREE/bin/oshrun" -q -n 3 "$FILLER" waits
  expect_status 1 in_namespace 'mount -t tmpfs -o size=16k none /dev/shm' "${without[@]}" timeout 60 "$BUILD_TREE/bin/oshrun" -q -n 3 "$FILLER" 1
  expect grep -q 'cannot get memory for the job: fallocate: No space left on device; try a larger /dev/shm' "$scratch/err"
}
a_container_without_memory_files_has_room_for_records_and_shadows() {
  has_sanitizers && skip "a program with a sanitizer is neither profiled nor checked for races"
  local without=(python3 "$SOURCE_TREE/tests/fault/without_call.py" memfd_create)
  need python3; "${without[@]}" true 2>/dev/null || skip "seccomp filters cannot be set here"
  expect_status 0 "${without[@]}" "$BUILD_TREE/bin/oshrun" -q -n 2 "--profile=$scratch/p" "$FILLER" 1
  expect grep -q 'atrium: profile of' "$scratch/err"; expect [ -s "$scratch/p.html" ]
  expect_status 0 "${without[@]}" "$BUILD_TREE/bin/oshrun" -q -n 2 --check=races "$FILLER" 1
  expect [ ! -s "$scratch/err" ]
}
# The shadow of what is touched may be more than a small file system holds, which shows only then.
a_shadow_that_finds_no_room_says_what_to_change() {
  need_namespaces
  has_sanitizers && skip "a program with a sanitizer is not checked for races"
  local without=(python3 "$SOURCE_TREE/tests/fault/without_call.py" memfd_create)
  need python3; "${without[@]}" true 2>/dev/null || skip "seccomp filters cannot be set here"
  printf '#include <shmem.h>\n#include <stdlib.h>\nint main(int count, char** words) {\n  shmem_init();\n  long n = atol(words[count - 1]) << 10, *block = shmem_calloc(n, 8);\n  for (int i = 0; block && i < n; i++) shmem_long_p(block + i, 1, 1 - shmem_my_pe());\n  shmem_finalize();\n}\n' >"$scratch/filling.c"
  "$BUILD_TREE/bin/oshcc" "$scratch/filling.c" -o "$scratch/filling"
  SHMEM_SYMMETRIC_SIZE=16M expect_status 0 in_namespace 'mount -t tmpfs -o size=64M none /dev/shm' "${without[@]}" "$BUILD_TREE/bin/oshrun" -q -n 2 --check=races "$scratch/filling" 1
  expect [ ! -s "$scratch/err" ]
  SHMEM_SYMMETRIC_SIZE=16M expect_status 1 in_namespace 'mount -t tmpfs -o size=64M none /dev/shm' "${without[@]}" "$BUILD_TREE/bin/oshrun" -q -n 2 --check=races "$scratch/filling" 1000
  expect grep -q 'no memory is left for the shadow: .* try a larger /dev/shm' "$scratch/err"; expect [ "$(grep -c 'signal 7' "$scratch/err")" = 0 ]
}
# A page that is missing when a PE writes its records would be a SIGBUS. Where another place has room they lie there.
records_are_never_cut_off_by_a_small_shared_memory_file_system() {
  need_namespaces
  local without=(python3 "$SOURCE_TREE/tests/fault/without_call.py" memfd_create)
  need python3; "${without[@]}" true 2>/dev/null || skip "seccomp filters cannot be set here"
  printf '#include <shmem.h>\nint main(void) {\n  shmem_init();\n  for (int time = 0; time < 5000; time++) shmem_barrier_all();\n  shmem_finalize();\n}\n' >"$scratch/busy.c"
  "$BUILD_TREE/bin/oshcc" "$scratch/busy.c" -o "$scratch/busy"; cd "$scratch" || exit 1
  local size
  for size in 512k 1M 2M; do
    expect_status 0 in_namespace "mount -t tmpfs -o size=$size none /dev/shm" "${without[@]}" "$BUILD_TREE/bin/oshrun" -q -n 2 --trace t.json ./busy
    expect grep -q 'atrium: trace: ' "$scratch/err"
    expect_status 1 in_namespace "mount -t tmpfs -o size=$size none /dev/shm; mount --bind . /mnt; mount -t tmpfs -o size=64k none /tmp; cd /mnt" \
      "${without[@]}" "$BUILD_TREE/bin/oshrun" -q -n 2 --trace t.json ./busy
    expect grep -q 'cannot make the memory for what is recorded: fallocate: No space left on device; try .*--trace-size.*/dev/shm' "$scratch/err"
  done
}
a_place_without_proc_is_told_where_memory_is_opened_by_it() {
  need_namespaces
  ATRIUM_SEGMENT=posix expect_status 1 in_namespace 'umount -l /proc' "$BUILD_TREE/bin/oshrun" -q -n 2 "$FILLER" 1
  expect grep -q 'because: .*/proc is not mounted here' "$scratch/err"; expect grep -q 'try: *mount -t proc' "$scratch/err"
}
# Its numbers are of other processes, which must be neither opened nor ended.
a_pid_namespace_with_the_proc_of_another_is_told_where_memory_is_opened_by_it() {
  unshare --pid --fork true 2>/dev/null || skip "no PID namespaces here"
  expect_status 0 unshare --pid --fork "$BUILD_TREE/bin/oshrun" -q -n 3 "$FILLER" 1
  ATRIUM_SEGMENT=posix expect_status 1 unshare --pid --fork "$BUILD_TREE/bin/oshrun" -q -n 2 "$FILLER" 1
  expect grep -q 'because: .*/proc is that of another PID namespace' "$scratch/err"; expect grep -q 'try: *mount -t proc' "$scratch/err"
}
a_umask_that_denies_everything_denies_nothing_to_pes() {
  need_another_user
  setpriv --reuid 65534 --regid 65534 --clear-groups test -x "$BUILD_TREE/bin/oshrun" -a -x "$FILLER" || skip "other users cannot reach the build folder"
  local kind
  for kind in memfd posix sysv; do
    (umask 777; ATRIUM_SEGMENT=$kind exec setpriv --reuid 65534 --regid 65534 --clear-groups "$BUILD_TREE/bin/oshrun" -q -n 3 "$FILLER" 1) >"$scratch/out" 2>"$scratch/err"
    expect [ $? = 0 ]
  done
}
a_small_stack_is_enough() {
  has_sanitizers && skip "sanitizers need larger stacks themselves"
  (ulimit -s 32; expect_status 0 oshrun -n 2 "$FILLER" 1; expect_status 0 "$BUILD_TREE/bin/atrium-info") || exit 1
}
# As a daemon does.
a_program_that_closes_connections_to_other_nodes_is_told() {
  need_libfabric
  printf '#include <shmem.h>\n#include <unistd.h>\nstatic long word;\nint main(void) {\n  shmem_init();\n  shmem_barrier_all();\n  for (int file = 3; file < 1024; file++) close(file);\n  for (;;) shmem_long_atomic_fetch_inc(&word, 1 - shmem_my_pe());\n}\n' >"$scratch/daemon.c"
  "$BUILD_TREE/bin/oshcc" "$scratch/daemon.c" -o "$scratch/daemon"
  expect_status 1 oshrun --nodes 2 -n 2 "$scratch/daemon"
  expect grep -q "because: .*the program has closed a descriptor that is Atrium's" "$scratch/err"; expect grep -q 'try: *leaving descriptors alone' "$scratch/err"
}
a_block_that_a_closed_descriptor_prevents_says_so() {
  printf '#include <shmem.h>\n#include <unistd.h>\nint main(void) {\n  shmem_init();\n  for (int file = 3; file < 1024; file++) close(file);\n  int wrong = shmem_malloc(100) != NULL;\n  shmem_finalize();\n  return wrong;\n}\n' >"$scratch/closed.c"
  "$BUILD_TREE/bin/oshcc" "$scratch/closed.c" -o "$scratch/closed"
  ATRIUM_SEGMENT=posix expect_status 0 oshrun -n 2 "$scratch/closed"
  expect grep -q "because: the program has closed descriptor [0-9]*, which is Atrium's" "$scratch/err"; expect grep -q 'try: *leaving descriptors alone' "$scratch/err"
}
# Any PE may be the one that gets none.
a_team_for_which_one_pe_has_no_memory_is_told_once() {
  need_namespaces; export ATRIUM_SEGMENT=posix
  local size
  for size in 2048 2560 3000 3072 3500 3600 4096 4100; do
    expect_status 0 in_namespace "mount -t tmpfs -o size=${size}k none /dev/shm" timeout 60 "$BUILD_TREE/bin/oshrun" -q -n 3 "$FILLER" teams
    expect [ "$(grep -c 'cannot make a team of 3 PEs' "$scratch/err")" = 1 ]
    expect grep -q 'No space left on device; the program has [0-9]* teams' "$scratch/err"; expect grep -q 'try:.*ATRIUM_SEGMENT=memfd' "$scratch/err"
  done
}
an_active_set_for_which_there_is_no_room_says_what_takes_it() {
  expect_status 1 oshrun -n 3 "$FILLER" sets
  expect grep -q 'cannot make the active set (start 0, log2 of stride 0, size 3)' "$scratch/err"
  expect grep -qE 'because: .* is full; the program has [0-9]+ teams and [12] active set' "$scratch/err"
  expect grep -q 'try: .*shmem_team_destroy.*, fewer different active sets, which stay for the whole job' "$scratch/err"
}
a_machine_without_shared_memory_file_system_is_enough() {
  need_namespaces
  expect_status 0 in_namespace 'mount -t tmpfs -o ro none /dev/shm' timeout 60 "$BUILD_TREE/bin/oshrun" -q -n 3 "$FILLER" 8
}
a_read_only_tmp_is_enough() {
  need_namespaces
  expect_status 0 in_namespace 'for folder in /tmp /var/tmp; do mount --bind $folder $folder; mount -o remount,ro,bind $folder; done' \
    timeout 60 "$BUILD_TREE/bin/oshrun" -q -n 3 "$FILLER" 8
}
a_place_without_sys_and_proc_of_cgroups_is_enough() {
  need_namespaces
  expect_status 0 in_namespace 'mount -t tmpfs none /sys' timeout 60 "$BUILD_TREE/bin/oshrun" -q -n 2 "$FILLER" 8
}
huge_pages_are_not_asked_for_however_off_is_written() {
  has_sanitizers && skip "a sanitizer wants to be loaded first"
  printf '#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <sys/mman.h>\n#include <unistd.h>\nint madvise(void* begin, size_t bytes, int advice) {\n  if (advice == 14 || advice == 25) _exit(5); /* MADV_HUGEPAGE, MADV_COLLAPSE */\n  return ((int (*)(void*, size_t, int))dlsym(RTLD_NEXT, "madvise"))(begin, bytes, advice);\n}\n' >"$scratch/watched.c"
  compile_library watched
  local off
  for off in off OFF 0 no; do ATRIUM_HUGE_PAGES=$off expect_status 0 oshrun -n 2 env "LD_PRELOAD=$scratch/watched.so" "$FILLER" 8; done
  ATRIUM_HUGE_PAGES=1 expect_status 5 oshrun -n 2 env "LD_PRELOAD=$scratch/watched.so" "$FILLER" 8
}
what_is_printed_into_a_closed_stream_goes_nowhere() {
  printf '#include <shmem.h>\n#include <stdio.h>\n#include <string.h>\nstatic char line[1 << 16];\nint main(void) {\n  shmem_init();\n  long wrong = 0, *block = shmem_calloc(1 << 20, 8);\n  memset(line, 101, sizeof line);\n  for (int i = 0; i < 512; i++) fwrite(line, 1, sizeof line, stderr);\n  for (int i = 0; i < 1 << 20; i++) wrong += block[i] != 0;\n  shmem_finalize();\n  return wrong != 0;\n}\n' >"$scratch/loud.c"
  "$BUILD_TREE/bin/oshcc" -w "$scratch/loud.c" -o "$scratch/loud"
  local kind
  for kind in memfd posix; do (exec 2>&-; ATRIUM_SEGMENT=$kind "$scratch/loud"); expect [ $? = 0 ]; done
}
# As some kernels are, when the memory takes longer to get than the time between two ticks.
memory_is_got_where_a_timer_interrupts_the_kernel() {
  has_sanitizers && skip "a sanitizer wants to be loaded first"
  printf '#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <errno.h>\n#include <signal.h>\n#include <sys/types.h>\n#include <unistd.h>\nint fallocate(int file, int mode, off_t offset, off_t bytes) {\n  static int times;\n  sigset_t blocked;\n  sigprocmask(SIG_BLOCK, 0, &blocked);\n  if (!sigismember(&blocked, SIGPROF)) {\n    if (++times > 1000) _exit(5);\n    errno = EINTR;\n    return -1;\n  }\n  return ((int (*)(int, int, off_t, off_t))dlsym(RTLD_NEXT, "fallocate"))(file, mode, offset, bytes);\n}\n' >"$scratch/ticking.c"
  compile_library ticking
  ATRIUM_SEGMENT=posix expect_status 0 oshrun -n 2 env "LD_PRELOAD=$scratch/ticking.so" "$FILLER" 8
}
# the_advised_heap_will_do SIZE BODY: a program that finds no room in a heap of that size, and finds it in the one that is advised.
function the_advised_heap_will_do {
  printf '#include <shmem.h>\nint main(void) {\n  shmem_init();\n  %s\n  shmem_finalize();\n}\n' "$2" >"$scratch/two.c"
  "$BUILD_TREE/bin/oshcc" -w "$scratch/two.c" -o "$scratch/two"
  SHMEM_SYMMETRIC_SIZE=$1 expect_status 0 oshrun -n 1 "$scratch/two"
  local advised; advised=$(sed -n 's/.*try: *SHMEM_SYMMETRIC_SIZE=//p' "$scratch/err")
  [ -n "$advised" ] || { expect grep -q 'more memory' "$scratch/err"; return; }
  SHMEM_SYMMETRIC_SIZE=$advised expect_status 0 oshrun -n 1 "$scratch/two"; expect [ ! -s "$scratch/err" ]
}
# Four digits of it may be less than it has; and free memory may be in pieces.
a_larger_heap_that_is_advised_is_large_enough() {
  the_advised_heap_will_do 1557.5M 'shmem_malloc(1557ul << 20); shmem_malloc(600ul << 10);'
  the_advised_heap_will_do 8M 'void* pieces[8];
    for (int i = 0; i < 8; i++) pieces[i] = shmem_malloc(1ul << 20);
    for (int i = 0; i < 8; i += 2) shmem_free(pieces[i]);
    shmem_malloc(3ul << 20);'
}
a_file_under_a_number_of_the_job_is_left_alone() {
  expect_status 0 oshrun -n 2 "$CLOSING" "$scratch/file" end; expect [ "$(grep -c untouched "$scratch/out")" = 2 ]
}
a_peer_is_not_mapped_from_a_file_of_the_program() {
  expect_status 1 oshrun -n 24 "$CLOSING" "$scratch/file" far
  expect grep -q 'the program has closed descriptor [0-9]*, which' "$scratch/err"; expect grep -q 'try: *leaving descriptors alone' "$scratch/err"
}
a_file_is_not_written_to_notify_the_launcher() {
  expect_status 1 oshrun --nodes 2 -n 2 "$CLOSING" "$scratch/file" end; expect [ "$(grep -c untouched "$scratch/out")" = 0 ]
  expect grep -q 'because: the program has closed descriptor' "$scratch/err"; expect grep -q 'while: *shmem_finalize' "$scratch/err"
}
# A thread that finds no room for its stack fails as one too many does.
a_thread_without_room_for_its_stack_is_told_as_such() {
  has_sanitizers && skip "sanitizers need more data than that themselves"
  local limit
  for limit in 6000 8000 10000 12000 14000 16000 18000 20000 22000 24000; do
    (ulimit -d $limit; oshrun --nodes 2 -n 2 "$FILLER" 1) >"$scratch/out" 2>"$scratch/err"
    grep -q 'because: pthread_create' "$scratch/err" || continue
    expect grep -q 'try: .*ulimit -d' "$scratch/err"; return
  done
  skip "no limit of data leaves room for all but a thread"
}
little_address_space_works_or_says_what_to_change() {
  has_sanitizers && skip "the shadow of sanitizers needs terabytes of address space"
  local limit
  for limit in 100000 1000000 8000000; do
    (ulimit -v $limit; oshrun -n 2 "$FILLER" 1) >"$scratch/out" 2>"$scratch/err" && continue
    expect grep -q 'try: ' "$scratch/err"; expect grep -q 'ulimit' "$scratch/err"
  done
}
another_user_cannot_reach_the_memory() {
  need_another_user
  start_oshrun -n 1 sh -c 'echo $$; exec sleep 100' >"$scratch/out"
  expect_soon test -s "$scratch/out"
  local memory; memory=/proc/$(cat "$scratch/out")/fd/200
  expect test -e "$memory"
  ! setpriv --reuid 65534 --regid 65534 --clear-groups cat "$memory" >/dev/null 2>&1 || complain "another user can read $memory"
  kill -TERM "$launcher"; wait "$launcher"; return 0
}
a_user_who_is_not_root_can_run_jobs() {
  need_another_user
  local build=$BUILD_TREE
  setpriv --reuid 65534 --regid 65534 --clear-groups test -x "$build/bin/oshrun" -a -x "$FILLER" || skip "other users cannot reach the build folder"
  expect_status 0 setpriv --reuid 65534 --regid 65534 --clear-groups timeout 60 "$build/bin/oshrun" -q -n 3 "$FILLER" 8
}
# A program with the rights of root, called by nobody, who chooses environment and descriptors.
function as_nobody { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
function need_set_user_id {
  need_another_user
  chmod 755 "$scratch"
  cp "$(command -v id)" "$scratch/id"; chmod 4755 "$scratch/id"
  [ "$(as_nobody "$scratch/id" -u)" = 0 ] || { echo "set-user-ID has no effect here"; exit 77; }
  as_nobody test -x "$FILLER" -a -x "$BUILD_TREE/bin/oshrun" || skip "other users cannot reach the build folder"
  cp "$FILLER" "$scratch/privileged"; chmod 4755 "$scratch/privileged"
}
a_set_user_id_program_joins_no_job_of_its_callers_making() {
  need_set_user_id
  expect_status 1 as_nobody "$BUILD_TREE/bin/oshrun" -q -n 2 "$scratch/privileged" 1
  expect grep -q 'more rights than its caller' "$scratch/err"
  expect_status 1 as_nobody env PMIX_RANK=0 PMIX_NAMESPACE=a "$scratch/privileged" 1
  expect grep -q 'more rights than its caller' "$scratch/err"
}
a_set_user_id_program_does_not_believe_its_callers_settings() {
  need_set_user_id
  expect_status 1 as_nobody env ATRIUM_SEGMENT=nonsense "$FILLER" 1
  expect_status 0 as_nobody env ATRIUM_SEGMENT=nonsense ATRIUM_BACKTRACE=1 SMA_SYMMETRIC_SIZE=1Q "$scratch/privileged" 1
}
# refused CALL WHAT: oshrun in a sandbox without that call ends, and says so.
function refused {
  local without=(python3 "$SOURCE_TREE/tests/fault/without_call.py" "$1")
  need python3; "${without[@]}" true 2>/dev/null || skip "seccomp filters cannot be set here"
  expect_status 1 timeout 60 "${without[@]}" "$BUILD_TREE/bin/oshrun" -q -n 2 "$FILLER" 8
  expect grep -q "$2" "$scratch/err"; expect grep -q "because: ${1#rt_}: Operation not permitted" "$scratch/err"
  expect_soon nobody_survives
}
a_sandbox_in_which_nothing_can_be_waited_for_is_named() { refused epoll_wait 'cannot follow the job'; }
a_sandbox_in_which_no_end_can_be_learned_is_named() { refused waitid 'cannot follow the job'; }
a_sandbox_in_which_no_signal_arrives_is_named() { refused rt_sigprocmask 'cannot prepare the job'; refused epoll_ctl 'cannot prepare the job'; }
a_sandbox_that_accepts_no_connection_is_named() {
  need_libfabric
  local without=(python3 "$SOURCE_TREE/tests/fault/without_call.py" accept4)
  need python3; "${without[@]}" true 2>/dev/null || skip "seccomp filters cannot be set here"
  expect_status 1 "${without[@]}" timeout 60 "$BUILD_TREE/bin/oshrun" -q --nodes 2 -n 2 "$FILLER" 8
  expect grep -q 'another node cannot connect to this process' "$scratch/err"; expect grep -q 'because: accept: Operation not permitted' "$scratch/err"
}
