# Signals to oshrun and what the PEs see of them.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317  # PEs expand their own variables; cases are called by name

function has_lines { [ "$(grep -cx "$1" "$scratch/out")" = "$2" ]; }

# start_trap SIGNAL: two PEs that count it. Bash serves a trap when its sleep ends.
function start_trap {
  start_oshrun -n 2 bash -c "trap 'echo got' $1; trap 'echo bye; exit 0' USR2; echo ready; while :; do sleep 0.05; done" >"$scratch/out" 2>"$scratch/err"
  expect_soon has_lines ready 2
}
function end_trap { kill -USR2 "$launcher"; wait "$launcher"; expect [ $? = 0 ]; expect has_lines bye 2; }

usr1_is_passed_on() { start_trap USR1; kill -USR1 "$launcher"; expect_soon has_lines got 2; end_trap; }
usr1_spares_pes_that_are_not_prepared_and_says_where_they_are() {
  start_oshrun -n 2 "$SEAT" 0:init print=ready hang >"$scratch/out" 2>"$scratch/err"; expect_soon has_lines ready 2
  kill -USR1 "$launcher"
  says() { grep -q "$1" "$scratch/err"; }; expect_soon says '^  PE 1: has not called shmem_init; process [0-9]* \(sleeps\|runs\)$'
  expect says '^  PE 0: in shmem_init, for PE 1$'
  sleep 0.2; kill -TERM "$launcher"; wait "$launcher"; expect [ $? = 143 ]
}
usr1_is_passed_on_to_pes_that_wait_for_it() {
  start_oshrun -n 2 "$SEAT" wait_for_usr1 >"$scratch/out"; expect_soon has_lines ready 2
  kill -USR1 "$launcher"; expect_soon has_lines got 2; wait "$launcher"; expect [ $? = 0 ]
}
usr1_is_passed_on_to_the_program_that_a_script_starts() {
  start_oshrun -n 2 sh -c '"$0" register init wait_for_usr1 finalize; exit $?' "$SEAT" >"$scratch/out"; expect_soon has_lines ready 2
  kill -USR1 "$launcher"; expect_soon has_lines got 2; wait "$launcher"; expect [ $? = 0 ]
}
usr1_spares_the_program_of_a_script_that_is_prepared() {
  start_oshrun -n 2 bash -c 'trap "echo got" USR1; "$0" register init print=ready sleep=0.5 finalize; exit $?' "$SEAT" >"$scratch/out"; expect_soon has_lines ready 2
  kill -USR1 "$launcher"; wait "$launcher"; expect [ $? = 0 ]
  start_oshrun -n 2 bash -c 'trap "echo got" USR1; "$0" print=ready sleep=0.5; exit $?' "$SEAT" >"$scratch/out"; expect_soon has_lines ready 2
  kill -USR1 "$launcher"; expect_soon has_lines got 2; wait "$launcher"; expect [ $? = 0 ]
}
usr1_kills_no_pe_that_blocks_it_for_a_moment() {
  start_oshrun -n 2 "$SEAT" print=ready block_often print=done >"$scratch/out" 2>/dev/null; expect_soon has_lines ready 2
  for _ in $(seq 20); do kill -USR1 "$launcher"; sleep 0.02; done
  wait "$launcher"; expect [ $? = 0 ]; expect has_lines 'done' 2
}
# While it still reads the command line: a file of hosts that nobody has written yet.
usr1_that_comes_early_does_not_end_oshrun() {
  mkfifo "$scratch/hosts"
  start_oshrun --hostfile "$scratch/hosts" -n 2 "$SEAT" print=ready >"$scratch/out" 2>/dev/null
  sleep 0.2; kill -USR1 "$launcher"; sleep 0.1
  timeout 10 sh -c 'echo localhost >"$0"' "$scratch/hosts"; wait "$launcher"; expect [ $? = 0 ]; expect has_lines ready 2
}
hup_is_passed_on() { start_trap HUP; kill -HUP "$launcher"; expect_soon has_lines got 2; end_trap; }
term_is_passed_on() { start_trap TERM; kill -TERM "$launcher"; expect_soon has_lines got 2; end_trap; }
int_is_passed_on() {
  # In the background a shell ignores SIGINT for its jobs: give it back.
  start_oshrun -n 2 true; wait "$launcher"
  with_int bash -c "trap 'echo got; exit 0' INT; echo ready; while :; do sleep 0.05; done"
  kill -INT "$launcher"; wait "$launcher"; expect [ $? = 0 ]; expect has_lines got 2
}
function with_int {
  ATRIUM_QUIET=1 perl -e '$SIG{INT} = $SIG{QUIT} = "DEFAULT"; exec @ARGV' "$BUILD_TREE/bin/oshrun" -n 2 "$@" >"$scratch/out" 2>"$scratch/err" & launcher=$!
  expect_soon has_lines ready 2
}
a_pe_that_ends_by_a_forwarded_signal_is_no_error() {
  start_oshrun -n 2 "$SEAT" init print=ready hang >"$scratch/out" 2>"$scratch/err"; expect_soon has_lines ready 2
  kill -TERM "$launcher"; wait "$launcher"; expect [ $? = 143 ]; expect [ ! -s "$scratch/err" ]
}
oshrun_ends_by_int_itself() {
  with_int "$SEAT" init print=ready hang
  kill -INT "$launcher"; wait "$launcher"; expect [ $? = 130 ]; expect [ ! -s "$scratch/err" ]
}
a_second_int_kills() {
  with_int "$SEAT" deaf init print=ready hang hang hang
  kill -INT "$launcher"; sleep 0.3; expect kill -0 "$launcher"
  kill -INT "$launcher"; wait "$launcher"; expect [ $? = 130 ]
}
a_second_term_kills() {
  start_oshrun -n 2 "$SEAT" deaf init print=ready hang hang hang >"$scratch/out" 2>"$scratch/err"; expect_soon has_lines ready 2
  kill -TERM "$launcher"; sleep 1; expect kill -0 "$launcher"
  kill -TERM "$launcher"; wait "$launcher"; expect [ $? = 143 ]; expect [ ! -s "$scratch/err" ]
}
a_second_hup_kills() {
  start_oshrun -n 2 "$SEAT" deaf init print=ready hang hang hang >"$scratch/out" 2>"$scratch/err"; expect_soon has_lines ready 2
  kill -HUP "$launcher"; sleep 1; expect kill -0 "$launcher"
  kill -HUP "$launcher"; wait "$launcher"; expect [ $? = 129 ]; expect [ ! -s "$scratch/err" ]
}
a_second_quit_kills() {
  with_int bash -c "trap '' QUIT TERM; echo ready; while :; do sleep 0.1; done"
  kill -QUIT "$launcher"; sleep 0.3; expect kill -0 "$launcher"
  kill -QUIT "$launcher"; wait "$launcher"; expect [ $? = 131 ]; expect [ ! -s "$scratch/err" ]
}
a_signal_is_a_second_one_also_when_another_has_come_between() {
  start_oshrun -n 2 "$SEAT" deaf init print=ready hang hang hang >"$scratch/out" 2>"$scratch/err"; expect_soon has_lines ready 2
  kill -TERM "$launcher"; kill -HUP "$launcher"; sleep 1; expect kill -0 "$launcher"
  kill -TERM "$launcher"; wait "$launcher"; expect [ $? = 143 ]
}
# timeout sends it to its child and then to its group, which that is in.
two_terms_of_one_moment_are_one() {
  start_trap TERM; for _ in 1 2 3; do kill -TERM "$launcher"; sleep 0.02; done
  got_it() { [ "$(grep -cx got "$scratch/out")" -ge 2 ]; }; expect_soon got_it; end_trap
}
function state_of { sed 's/.*) \(.\).*/\1/' "/proc/$1/stat"; }
function all_in_state { local pid; for pid in "$launcher" $(cat "$scratch/out"); do case $1 in *$(state_of "$pid")*) ;; *) return 1 ;; esac; done; }
tstp_stops_and_cont_resumes_everybody() {
  start_oshrun -n 2 sh -c 'echo $$; exec sleep 100' >"$scratch/out"
  two_pids() { [ "$(wc -l <"$scratch/out")" = 2 ]; }; expect_soon two_pids
  kill -TSTP "$launcher"; expect_soon all_in_state T
  kill -CONT "$launcher"; expect_soon all_in_state SRD
  kill -TERM "$launcher"; wait "$launcher"; expect [ $? = 143 ]
}
# In a container oshrun may be the first process: it cannot be stopped, and ends by no signal that it does not catch.
function need_containers { unshare -rpf --mount-proc true 2>/dev/null || skip "no mounts of one's own here"; }
in_container=(unshare -rpf --kill-child --mount-proc "$SOURCE_TREE/tests/terminable.sh" "$BUILD_TREE/bin/oshrun" -q)
a_job_goes_on_whose_launcher_cannot_stop() {
  need_containers
  expect_status 0 timeout 60 "${in_container[@]}" -n 2 sh -c '[ $PPID = 1 ] && kill -TSTP 1; sleep 1; echo "done"'; expect has_lines 'done' 2
}
a_program_without_its_mark_belongs_to_the_first_process() {
  need_containers
  expect_status 0 timeout 60 "${in_container[@]}" -n 2 sh -c '"$0" register init 0:unmark sleep=3 finalize; exit' "$SEAT"
}
what_nobody_reads_does_not_keep_the_first_process() {
  need_containers
  mkfifo "$scratch/unread"; exec 5<>"$scratch/unread"
  "${in_container[@]}" -n 1 head -c 500000 /dev/zero >"$scratch/unread" & launcher=$!
  runs() { pgrep -P "$launcher" >/dev/null; }
  ended() { pkill -TERM -P "$launcher"; ! runs; }
  expect_soon runs; expect_soon ended; wait "$launcher"; expect [ $? = 143 ]
}
a_stopped_job_can_be_ended() {
  start_oshrun -n 2 sh -c 'echo $$; exec sleep 100' >"$scratch/out"
  two_pids() { [ "$(wc -l <"$scratch/out")" = 2 ]; }; expect_soon two_pids
  kill -TSTP "$launcher"; expect_soon all_in_state T
  kill -TERM "$launcher"; kill -CONT "$launcher"; wait "$launcher"; expect [ $? = 143 ]
}
ignored_hangups_stay_ignored() {
  ATRIUM_QUIET=1 nohup "$BUILD_TREE/bin/oshrun" -n 2 "$SEAT" print=ready sleep=0.5 print=done >"$scratch/out" 2>/dev/null & launcher=$!
  expect_soon has_lines ready 2; kill -HUP "$launcher"; wait "$launcher"; expect [ $? = 0 ]; expect has_lines 'done' 2
}
a_job_that_runs_too_long_is_ended() {
  expect_status 124 oshrun --timeout 0.3 -n 2 "$SEAT" deaf init hang hang hang; expect grep -q 'timeout' "$scratch/err"
  expect_status 0 oshrun --timeout 60 -n 2 true
}

# on_terminal KEYS FLAGS...: oshrun on a terminal of its own, where KEYS are pressed once two PEs have said "ready".
# script runs $SHELL, whatever that is; a shell that did not make way would take the key as well and die of it.
function on_terminal {
  local keys=$1; shift
  need_terminal
  : >"$scratch/seen"
  { for _ in $(seq 100); do [ "$(grep -cx $'ready\r' "$scratch/seen")" -lt 2 ] || break; sleep 0.1; done; printf '%b' "$keys"; sleep 1; } |
    SHELL=/bin/sh timeout 40 script -qfec "exec $BUILD_TREE/bin/oshrun -q $*" "$scratch/seen" >/dev/null
}
# As ssh and sudo do for a password. Nobody else would say why the job stands still.
a_pe_that_wants_the_terminal_is_named() {
  need_terminal
  SHELL=/bin/sh script -qfec "exec $BUILD_TREE/bin/oshrun --timeout 5 -n 2 sh -c 'test \$ATRIUM_JOB_PE = 0 || read -r line </dev/tty'" "$scratch/seen" </dev/null >/dev/null
  expect [ "$(grep -c 'note: PE 1 (pid [0-9]*) on .* is stopped by the kernel: it wants to read from the terminal' "$scratch/seen")" = 1 ]
}
control_c_interrupts_the_job() { on_terminal '\003' -n 2 "$SEAT" init print=ready hang; expect [ $? = 130 ]; expect [ "$(grep -c atrium: "$scratch/seen")" = 0 ]; }
control_c_reaches_each_pe_once() {
  on_terminal '\003' -n 2 "bash -c 'trap \"echo got; sleep 0.3; exit 0\" INT; echo ready; while :; do sleep 0.05; done'"
  expect [ $? = 0 ]; expect [ "$(grep -c $'got\r$' "$scratch/seen")" = 2 ]
}
control_z_stops_the_job_and_fg_resumes_it() {
  need_terminal
  # An interactive shell on the terminal: the job is stopped by a key, and brought back.
  printf '%s\n' "$BUILD_TREE/bin/oshrun -q -n 2 $SEAT print=ready sleep=1 sleep=1 print=over" >"$scratch/job"
  : >"$scratch/seen"
  { sleep 0.5; printf '. %s\n' "$scratch/job"
    for _ in $(seq 100); do grep -q ready "$scratch/seen" && break; sleep 0.1; done; sleep 0.3
    printf '\032'; sleep 0.5; printf 'jobs\n'; sleep 0.3; printf 'fg\n'; sleep 4; printf 'exit\n'; } |
    SHELL=/bin/sh timeout 40 script -qfec 'exec bash --norc --noprofile -i' "$scratch/seen" >/dev/null
  expect grep -q Stopped "$scratch/seen"; expect [ "$(grep -cx $'over\r' "$scratch/seen")" = 2 ]
}
# No shell with job control has started it, so nobody could let it go on: other programs do not stop then, either.
control_z_stops_no_job_that_nobody_could_resume() {
  on_terminal '\032' -n 2 "$SEAT" print=ready sleep=1 sleep=1 print=over; expect [ $? = 0 ]
  expect [ "$(grep -c $'over\r$' "$scratch/seen")" = 2 ]
}
term_ends_pes_that_are_stopped() {
  start_oshrun -n 2 sh -c 'echo ready; kill -STOP $$; sleep 1000' >"$scratch/out" 2>"$scratch/err"; expect_soon has_lines ready 2
  all_are_stopped() { [ "$(pgrep -P "$launcher" -x sh -r T | wc -l)" = 2 ]; }; expect_soon all_are_stopped
  kill -TERM "$launcher"; wait "$launcher"; expect [ $? = 143 ]
}
# The PE that made the memory ends while another is about to open it. This one waits until then, and lives a moment
# longer than oshrun asks it to.
a_pe_that_finds_the_makers_memory_gone_says_nothing_of_it() {
  has_sanitizers && skip "a program without sanitizers cannot load a library with them"
  cat >"$scratch/late_open.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int open(const char *path, int flags, ...) {
  int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
  int owner, number, fd;
  if (sscanf(path, "/proc/%d/fd/%d", &owner, &number) != 2) return real(path, flags, 0600);
  signal(SIGTERM, SIG_IGN);
  printf("about to open what %d has\n", owner), fflush(stdout);
  while ((fd = real(path, flags)) >= 0) close(fd), usleep(1000);
  return fd;
}
END
  printf '#include <shmem.h>\nint main(void) { shmem_init(); shmem_finalize(); return 0; }\n' >"$scratch/p.c"
  compile_library late_open -ldl
  "$BUILD_TREE/bin/oshcc" "$scratch/p.c" -o "$scratch/p" || complain "it does not compile"
  local owner
  is_about() { owner=$(sed -n 's/^about to open what //p' "$scratch/out" | sed 's/ has$//'); [ -n "$owner" ]; }
  start_oshrun -n 2 -x ATRIUM_SEGMENT=posix -x LD_PRELOAD="$scratch/late_open.so" "$scratch/p" >"$scratch/out" 2>"$scratch/err"
  expect_soon is_about; kill -KILL "$owner"; wait "$launcher"; expect [ $? = 137 ]
  expect [ "$(grep -c "cannot open the job's memory" "$scratch/err")" = 0 ]
}
