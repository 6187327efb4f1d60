# Kernels of other people's machines.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

# Calls and flags that came after Linux 4.18 fail: RHEL 8 has that one, in distributions of today it is that of containers there.
function on_linux_4_18 {
  local run=(python3 "$SOURCE_TREE/tests/fault/without_call.py" linux-4.18)
  need python3; "${run[@]}" true 2>/dev/null || skip "seccomp filters cannot be set here"
  expect_status "$1" "${run[@]}" "${@:2}"
}

an_older_kernel_runs_jobs_with_memory_of_every_kind() {
  local kind
  for kind in memfd posix sysv; do
    ATRIUM_SEGMENT=$kind on_linux_4_18 0 "$BUILD_TREE/bin/oshrun" -q -n 3 "$FILLER" 8; expect [ ! -s "$scratch/err" ]
    ATRIUM_SEGMENT=$kind on_linux_4_18 139 "$BUILD_TREE/bin/oshrun" -q -n 3 "$VICTIM" segv barrier
  done
}
an_older_kernel_runs_jobs_on_several_nodes() {
  on_linux_4_18 0 "$BUILD_TREE/bin/oshrun" -q --nodes 2 -n 4 "$FILLER" 2; expect [ ! -s "$scratch/err" ]
}
an_older_kernel_closes_only_what_is_open() {
  need strace
  without_leak_check on_linux_4_18 0 strace -f -e trace=close -o "$scratch/trace" "$BUILD_TREE/bin/oshrun" -q -n 2 true
  expect grep -q 'close(' "$scratch/trace"; expect [ "$(grep -c EBADF "$scratch/trace")" -lt 50 ]
}
an_older_kernel_runs_scripts_and_ends_what_they_leave() {
  on_linux_4_18 1 "$BUILD_TREE/bin/oshrun" -q -n 2 sh -c '"$0" segv barrier; sleep 1000' "$VICTIM"
  expect_soon nobody_survives
}
