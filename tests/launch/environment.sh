# What the PEs find around them.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317  # PEs expand their own variables; cases are called by name

each_pe_knows_its_number() {
  expect_status 0 oshrun -n 5 sh -c 'echo $ATRIUM_JOB_PE of $ATRIUM_JOB_PES'
  expect [ "$(sort "$scratch/out" | tr '\n' ' ')" = "0 of 5 1 of 5 2 of 5 3 of 5 4 of 5 " ]
}
each_pe_finds_a_lobby() { expect_status 0 oshrun -n 3 "$SEAT" check init finalize; }
variables_are_set_and_passed_on() {
  A=old B=kept expect_status 0 oshrun -x A=new -x B -x C='with = and space' -n 1 sh -c 'echo "$A/$B/$C"'
  expect grep -qx 'new/kept/with = and space' "$scratch/out"
}
a_variable_that_is_not_there_is_noticed() {
  ATRIUM_QUIET=0 expect_status 0 timeout 20 "$BUILD_TREE/bin/oshrun" -x NO_SUCH_VARIABLE -n 1 true
  expect grep -q NO_SUCH_VARIABLE "$scratch/err"
}
a_job_inside_a_job_is_a_job_of_its_own() {
  expect_status 0 oshrun -n 2 "$BUILD_TREE/bin/oshrun" -q -n 3 "$SEAT" check init finalize print=in
  expect [ "$(grep -c in "$scratch/out")" = 6 ]
}
pes_start_in_the_directory_asked_for() {
  expect_status 0 oshrun --wdir "$scratch" -n 2 pwd; expect [ "$(sort -u "$scratch/out")" = "$(cd "$scratch" && pwd -P)" ]
}
pes_get_the_limit_on_open_files_that_oshrun_had() {
  expect_status 0 bash -c 'ulimit -Sn 100; "$1" -q -n 64 sh -c "ulimit -Sn" | sort -u' - "$BUILD_TREE/bin/oshrun"
  expect [ "$(cat "$scratch/out")" = 100 ]
}
pes_get_the_signals_that_oshrun_had() {
  expect_status 0 oshrun -n 1 grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status; cp "$scratch/out" "$scratch/under"
  expect_status 0 timeout 20 grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status; expect cmp "$scratch/under" "$scratch/out"
}
no_descriptor_leaks_into_a_pe() {
  local fd
  for fd in /proc/self/fd/*; do  # what we were given ourselves would be passed on
    fd=${fd##*/}; [ "$fd" -le 2 ] || [ "$fd" = 255 ] || eval "exec $fd>&-"
  done
  expect_status 0 oshrun -n 4 sh -c 'test $ATRIUM_JOB_PE != 3 || exec ls /proc/self/fd'
  # 0, 1, 2, the job's memory, and the one that ls itself has open.
  expect [ "$(wc -l <"$scratch/out")" = 5 ]
}
closed_standard_streams_do_no_harm() {
  oshrun -n 2 "$SEAT" init finalize <&- >&- 2>&-; expect [ $? = 0 ]
  oshrun -n 2 sh -c 'echo e >&2' >&- 2>&-; expect [ $? = 0 ]
  oshrun -n 2 "$SEAT" print=x <&- >"$scratch/out"; expect [ "$(wc -l <"$scratch/out")" = 2 ]
}
oversubscription_is_said_once() {
  ATRIUM_QUIET=0 expect_status 0 timeout 60 "$BUILD_TREE/bin/oshrun" -n $(($(nproc) + 5)) true
  expect [ "$(grep -c share "$scratch/err")" = 1 ]
  ATRIUM_QUIET=0 expect_status 0 timeout 60 "$BUILD_TREE/bin/oshrun" --oversubscribe -n $(($(nproc) + 5)) true
  expect [ ! -s "$scratch/err" ]
  expect_status 0 oshrun -n $(($(nproc) + 5)) true; expect [ ! -s "$scratch/err" ]
}
pes_that_fit_are_bound_to_different_cpus() {
  local cpus; cpus=$(nproc); [ "$cpus" -gt 1 ] || skip "there is no second CPU"
  expect_status 0 oshrun -n "$cpus" --bind-to hwthread grep Cpus_allowed_list /proc/self/status
  expect [ "$(sort -u "$scratch/out" | wc -l)" = "$cpus" ]
  for _ in $(seq 50); do
    expect_status 0 oshrun -n "$cpus" grep Cpus_allowed_list /proc/self/status
    [ "$(sort -u "$scratch/out" | wc -l)" != "$cpus" ] || return 0
    sleep 0.1
  done
  grep -q max /sys/fs/cgroup/cpu.max 2>/dev/null && return 0
  read -r _ _ _ running _ </proc/loadavg; [ "${running%/*}" -gt 1 ] || complain "not bound"
  echo "others keep the CPUs busy"; exit 77
}
# Under a quota that lets fewer PEs run at once they are not bound.
pes_are_bound_where_others_keep_every_cpu_busy() {
  local cpus cpu places others=(); cpus=$(nproc); places=$cpus; [ "$cpus" -gt 1 ] || skip "there is no second CPU"
  for cpu in $(seq "$(nproc --all)"); do sh -c 'while :; do :; done' & others+=($!); done
  sleep 0.2; oshrun -n "$cpus" grep Cpus_allowed_list /proc/self/status >"$scratch/out"
  kill "${others[@]}"; wait "${others[@]}" 2>/dev/null
  "$BUILD_TREE/bin/atrium-info" | grep -Eq "^ *CPUs +$cpus usable" || places=1
  expect [ "$(sort -u "$scratch/out" | wc -l)" = "$places" ]
}
pes_that_do_not_fit_are_not_bound() {
  expect_status 0 oshrun -n $(($(nproc) + 1)) grep Cpus_allowed_list /proc/self/status
  expect [ "$(sort -u "$scratch/out")" = "$(grep Cpus_allowed_list /proc/self/status)" ]
  expect_status 0 oshrun -n 2 --bind-to none grep Cpus_allowed_list /proc/self/status
  expect [ "$(sort -u "$scratch/out")" = "$(grep Cpus_allowed_list /proc/self/status)" ]
}
quiet_is_for_the_pes_too() {
  expect_status 0 env -u ATRIUM_QUIET "$BUILD_TREE/bin/oshrun" -q -n 1 sh -c 'echo "<$ATRIUM_QUIET>"'; expect grep -qx '<1>' "$scratch/out"
  expect_status 0 env -u ATRIUM_QUIET "$BUILD_TREE/bin/oshrun" -n 1 sh -c 'echo "<$ATRIUM_QUIET>"'; expect grep -qx '<>' "$scratch/out"
}
a_binding_that_is_dropped_is_told_with_the_reason() {
  ATRIUM_QUIET=0 expect_status 0 timeout 60 "$BUILD_TREE/bin/oshrun" --bind-to hwthread --oversubscribe -n $(($(nproc) + 1)) true
  expect [ "$(grep -c 'note: --bind-to hwthread: no PE is bound, since' "$scratch/err")" = 1 ]; expect [ "$(wc -l <"$scratch/err")" = 1 ]
  expect_status 0 oshrun --bind-to hwthread -n $(($(nproc) + 1)) true; expect [ ! -s "$scratch/err" ]
}
bindings_are_reported() {
  expect_status 0 oshrun -n 2 --report-bindings true; expect grep -q 'PE 0: ' "$scratch/err"; expect grep -q 'PE 1: ' "$scratch/err"
}
placement_follows_what_hwloc_describes() {
  [ "$(nproc)" -gt 1 ] || skip "there is no second CPU"
  "$BUILD_TREE/bin/atrium-info" | grep -q 'hwloc .*left out' && skip "built without hwloc"
  HWLOC_SYNTHETIC='pack:2 [numa] core:64 pu:1(indexes=64*2:1*64)' expect_status 0 oshrun -n 2 --report-bindings --bind-to package true
  grep -q 'because\|hwloc' "$scratch/err" && skip "the cores of this machine cannot be told"
  expect grep -q 'PE 0: .*package 0, NUMA node 0' "$scratch/err"; expect grep -q 'PE 1: .*package 1, NUMA node 1' "$scratch/err"
}
