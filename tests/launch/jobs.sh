# Large jobs and several jobs.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317  # PEs expand their own variables; cases are called by name

a_job_of_256_pes_starts_and_ends() { expect_status 0 oshrun -n 256 "$SEAT" check init print=here finalize; expect [ "$(grep -cx here "$scratch/out")" = 256 ]; }
a_job_of_256_pes_is_ended_by_one() { expect_status 139 oshrun -n 256 "$SEAT" init 255:kill=11 hang; }
a_job_of_256_pes_starts_with_few_open_files() {
  expect_status 0 bash -c 'ulimit -Sn 64; exec "$@"' - "$BUILD_TREE/bin/oshrun" -q -n 256 true
}
too_few_open_files_are_explained() {
  expect_status 1 bash -c 'ulimit -n 64; exec "$@"' - "$BUILD_TREE/bin/oshrun" -q -n 256 sleep 100
  expect grep -q 'ulimit -Hn 1040' "$scratch/err"; expect nobody_survives
}
little_address_space_is_enough() { has_sanitizers && skip "the shadow of sanitizers needs terabytes of address space"; expect_status 0 bash -c 'ulimit -v 100000; exec "$@"' - "$BUILD_TREE/bin/oshrun" -q -n 2 "$SEAT" check; }
several_jobs_at_once_do_not_disturb_each_other() {
  local job pids=()
  for job in 1 2 3 4 5 6; do
    oshrun -n 3 "$SEAT" check init print=$job sleep=0.2 finalize >"$scratch/out.$job" & pids+=($!)
  done
  oshrun -n 3 "$SEAT" init 1:kill=11 hang 2>/dev/null; expect [ $? = 139 ]
  for job in 1 2 3 4 5 6; do
    wait "${pids[job - 1]}"; expect [ $? = 0 ]
    expect [ "$(grep -cx $job "$scratch/out.$job")" = 3 ]
  done
}
no_socket_is_opened_and_no_name_resolved() {
  need strace
  without_leak_check expect_status 0 strace -f -o "$scratch/trace" "$BUILD_TREE/bin/oshrun" -q -n 2 "$SEAT" init 1:exit=0 finalize
  expect [ -z "$(grep -E 'socket\(|connect\(|resolv.conf|nsswitch' "$scratch/trace")" ]
}
