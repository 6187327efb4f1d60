# After any end there is no process, no file and no shared memory. run_case.sh looks for survivors after each case.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317  # PEs expand their own variables; cases are called by name

function pids_of_pes { [ "$(wc -l <"$scratch/out")" = "$1" ]; }

pes_die_with_the_launcher() {
  start_oshrun -n 3 "$SEAT" deaf init print=ready hang hang >"$scratch/out"; expect_soon pids_of_pes 3
  kill -9 "$launcher"; wait "$launcher"; expect_soon nobody_survives
}
programs_under_scripts_die_with_the_launcher() {
  start_oshrun -n 3 sh -c '"$SEAT" deaf init print=ready hang hang; true' >"$scratch/out"; expect_soon pids_of_pes 3
  kill -9 "$launcher"; wait "$launcher"; expect_soon nobody_survives
}
background_processes_die_with_the_launcher() {
  start_oshrun -n 3 sh -c 'sleep 1000 & echo ready; "$SEAT" deaf hang hang; true' >"$scratch/out"; expect_soon pids_of_pes 3
  kill -9 "$launcher"; wait "$launcher"; expect_soon nobody_survives
}
processes_in_sessions_of_their_own_die_with_the_launcher() {
  start_oshrun -n 3 sh -c 'setsid sh -c "sleep 1000; true" & (setsid sh -c "sleep 1001; true" &) & sleep 0.2; echo ready; "$SEAT" deaf hang hang; true' >"$scratch/out"
  expect_soon pids_of_pes 3
  kill -9 "$launcher"; wait "$launcher"; expect_soon nobody_survives
}
programs_in_groups_of_their_own_die_with_the_launcher() {
  start_oshrun -n 2 sh -c 'timeout 60 "$SEAT" deaf register init print=ready hang hang; true' >"$scratch/out"; expect_soon pids_of_pes 2
  kill -9 "$launcher"; wait "$launcher"; expect_soon nobody_survives
}
# By its mark alone: without the environment, in a session of its own.
programs_that_have_joined_die_with_the_launcher() {
  start_oshrun -n 2 sh -c 'env -i ATRIUM_JOB_FD=$ATRIUM_JOB_FD ATRIUM_JOB_PE=$ATRIUM_JOB_PE ATRIUM_JOB_PES=$ATRIUM_JOB_PES CASE_MARK=$CASE_MARK setsid -w "$SEAT" deaf register init print=ready hang hang; true' >"$scratch/out"
  expect_soon pids_of_pes 2
  kill -9 "$launcher"; wait "$launcher"; expect_soon nobody_survives
}
# The group of a PE that has ended had one more process, which has ended, too. Somebody else gets its number.
a_stranger_with_the_number_of_a_pes_group_outlives_the_launcher() {
  unshare -rpf --mount-proc sh -c 'echo 100 >/proc/sys/kernel/ns_last_pid' 2>/dev/null || skip "no namespaces here in which a process gets a wanted number"
  expect_status 0 timeout -k 5 60 unshare -rpf --kill-child --mount-proc bash -c '
    "$0" -q -n 2 sh -c "[ \$ATRIUM_JOB_PE = 0 ] || exec sleep 100; echo \$\$; sleep 0.5 & exit 0" >"$1/group" & launcher=$!
    until group=$(cat "$1/group") && [ -n "$group" ] && ! kill -0 -"$group" 2>/dev/null; do sleep 0.1; done
    sleep 2
    for try in 1 2 3 4 5; do
      echo $((group - 1)) >/proc/sys/kernel/ns_last_pid; setsid sleep 50 & stranger=$!
      [ "$stranger" != "$group" ] || break
    done 2>/dev/null
    [ "$stranger" = "$group" ] && kill -9 "$launcher" && sleep 2 && kill -0 "$stranger"' "$BUILD_TREE/bin/oshrun" "$scratch"
}
function orphan_killer { pgrep -P "$launcher" -x oshrun-orphans; }
a_killed_orphan_killer_is_replaced() {
  start_oshrun -n 2 sh -c '"$SEAT" deaf init print=ready hang hang; true' >"$scratch/out"; expect_soon pids_of_pes 2
  local first; first=$(orphan_killer); kill -9 "$first"
  another_is_there() { [ -n "$(orphan_killer)" ] && [ "$(orphan_killer)" != "$first" ]; }; expect_soon another_is_there
  kill -9 "$launcher"; wait "$launcher"; expect_soon nobody_survives
}
a_second_signal_leaves_nothing() {
  local signal
  for signal in INT TERM HUP; do
    : >"$scratch/out"
    perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' "$BUILD_TREE/bin/oshrun" -q -n 2 sh -c '(trap "" INT TERM HUP; exec sleep 1000) & echo ready; exec sleep 100' >"$scratch/out" & launcher=$!
    expect_soon pids_of_pes 2
    kill -"$signal" "$launcher"; sleep 0.1; kill -"$signal" "$launcher" 2>/dev/null; wait "$launcher"
    expect nobody_survives
  done
}
background_processes_end_with_the_job() { expect_status 0 oshrun -n 3 sh -c 'sleep 1000 & exit 0'; expect nobody_survives; }
deaf_background_processes_end_with_the_job() { expect_status 0 oshrun -n 2 sh -c '"$SEAT" deaf hang hang hang & sleep 0.1; exit 0'; expect nobody_survives; }
# Each becomes a child of oshrun when its parent has been killed, which takes a look of oshrun each.
a_deep_tree_of_background_processes_ends_with_the_job() {
  echo 'trap "" TERM; [ "$1" = 0 ] && echo deep >&2 && exec sleep 1000; sh "$0" $(($1 - 1)) & wait' >"$scratch/deep.sh"
  DEEP=$scratch/deep.sh expect_status 0 oshrun -n 1 sh -c 'sh "$DEEP" 100 2>"$DEEP.out" & while [ ! -s "$DEEP.out" ]; do sleep 0.1; done; exit 0'
  expect_soon nobody_survives
}
daemons_end_with_the_job() { expect_status 0 oshrun -n 2 sh -c '(setsid sh -c "sleep 1000; true" &) & sleep 0.2; exit 0'; expect nobody_survives; }
# By their process groups.
background_processes_end_with_the_job_where_proc_is_missing() {
  has_sanitizers && skip "a sanitizer wants /proc"
  unshare -m umount -l /proc 2>/dev/null || skip "no mount namespaces here"
  expect_status 0 unshare -m sh -c 'umount -l /proc; exec "$@"' - timeout -k 5 "$patience" "$BUILD_TREE/bin/oshrun" -q -n 2 sh -c 'sleep 1000 & exit 0'; expect nobody_survives
}
background_processes_end_after_a_crash() { expect_status 139 oshrun -n 3 sh -c 'sleep 1000 & test $ATRIUM_JOB_PE != 1 || kill -SEGV $$; wait'; expect nobody_survives; }
a_background_process_may_finish_its_output() {
  expect_status 0 oshrun -n 1 bash -c 'echo text > >(sleep 0.1; cat)'; expect [ "$(cat "$scratch/out")" = text ]
}
a_process_that_floods_does_not_keep_the_job() { expect_status 0 oshrun -n 1 sh -c 'yes & sleep 0.1; exit 0'; expect nobody_survives; }
nothing_has_a_name() {
  start_oshrun -n 2 "$SEAT" init print=ready hang >"$scratch/out"; expect_soon pids_of_pes 2
  expect [ -z "$(names_of_memory)" ]
  kill -9 "$launcher"; wait "$launcher"
  expect [ -z "$(names_of_memory)" ]
}
nobody_else_can_open_the_memory() {
  start_oshrun -n 1 sh -c 'echo $$; exec sleep 100' >"$scratch/out"; expect_soon pids_of_pes 1
  local pid; pid=$(cat "$scratch/out")
  expect [ "$(stat -Lc %a "/proc/$pid/fd/200")" = 600 ]
  kill "$launcher"; wait "$launcher"; return 0
}
random_kills_leave_nothing() {
  for _ in $(seq 20); do
    start_oshrun -n 4 sh -c '"$SEAT" deaf init hang hang hang; true' >/dev/null
    sleep 0.0$((RANDOM % 100)); kill -9 "$launcher"; wait "$launcher"
  done 2>/dev/null
  expect_soon nobody_survives
}
# `exec oshrun` hands over the script's children, as bash -c does of itself with its last command. They are none of the PEs'.
what_a_script_started_before_it_became_oshrun_lives_on() {
  expect_status 0 bash -c 'sleep 1000 & echo $! >"$1"; exec "$0" -q -n 1 true' "$BUILD_TREE/bin/oshrun" "$scratch/sleeper"
  expect kill "$(cat "$scratch/sleeper")"
  bash -c '"$0" -q -n 1 seq 20000 > >(gzip >"$1")' "$BUILD_TREE/bin/oshrun" "$scratch/lines.gz"
  all_are_there() { [ "$(gzip -dc "$scratch/lines.gz" 2>/dev/null | wc -l)" = 20000 ]; }; expect_soon all_are_there
}
# Each ends and leaves another one: one that is about to end may still have a child.
what_goes_on_as_another_process_ends_with_the_job() {
  need perl
  for _ in $(seq 10); do
    expect_status 0 oshrun_alone -n 1 sh -c 'perl -e "for (1 .. 3000) { fork and exit; select undef, undef, undef, 0.001 }" & true'
    expect nobody_survives
  done
}
