# PEs that end while others wait for them. Whatever they wait in, the job ends and says who and why.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317  # PEs expand their own variables; cases are called by name

places="barrier sync wait signal reduce broadcast malloc finalize lock loop"

# expect_end STATUS WORDS WAY [PES]: in each place.
function expect_end {
  local place
  for place in $places; do
    expect_status "$1" oshrun -n "${4:-3}" "$VICTIM" "$3" "$place"
    expect grep -q -- "PE 1 (pid [0-9]*) on $(uname -n) $2" "$scratch/err"
    # Besides the line in which a PE that crashes says where.
    expect [ "$(grep '^atrium: ' "$scratch/err" | grep -vc ': signal [0-9]* at address ')" = 1 ]
  done
}

a_crash_ends_those_who_wait() { expect_end 139 'was ended by signal 11' segv; }
# The kernel ends it at once: there is no room for a handler. The thread that has called shmem_init has given it some.
a_stack_of_a_thread_that_has_overflowed_is_supposed() {
  has_sanitizers && skip "a sanitizer gives each thread room for a handler"
  ulimit -Ss 8192
  expect_status 139 oshrun -n 3 "$VICTIM" overflow wait
  expect grep -q 'because: perhaps the stack of a thread has overflowed' "$scratch/err"; expect grep -q 'OMP_STACKSIZE' "$scratch/err"
  for how in overflow_here segv; do
    expect_status 139 oshrun -n 3 "$VICTIM" $how wait
    expect grep -q '^atrium: PE 1 on .*: signal 11 at address ' "$scratch/err"
    expect [ "$(grep -c 'perhaps the stack' "$scratch/err")" = 0 ]
    told=1; [ $how != segv ] || told=0
    expect [ "$(grep -c 'the stack has overflowed: ulimit -s' "$scratch/err")" = $told ]
  done
}
a_variable_for_which_the_stack_has_no_room_is_told() {
  has_sanitizers && skip "a sanitizer has handlers of its own"
  local size; ulimit -Ss 8192
  printf '#include <shmem.h>\n__attribute__((noinline)) void fill(void) {\n  volatile char room[ROOM];\n  for (int i = 0; i < ROOM; ++i) room[i] = 1;\n}\nint main(void) {\n  shmem_init();\n  fill();\n  shmem_finalize();\n}\n' >"$scratch/large.c"
  for size in 20000000 200000000; do
    "$BUILD_TREE/bin/oshcc" -g -DROOM=$size "$scratch/large.c" -o "$scratch/large"
    expect_status 139 oshrun -q -n 2 "$scratch/large"
    expect grep -q '^atrium: PE [01] on .*: signal 11 at address .* (the stack has overflowed: ulimit -s), ' "$scratch/err"
  done
}
an_abort_ends_those_who_wait() { expect_end 134 'was ended by signal 6' abort; }
a_kill_ends_those_who_wait() { expect_end 137 'was ended by signal 9' kill; }
a_status_ends_those_who_wait() { expect_end 3 'ended with status 3' 3; }
leaving_without_finalize_ends_those_who_wait() { expect_end 1 'has left while others are at work' 0; }
an_exit_that_takes_its_time_is_no_work() {
  expect_status 0 oshrun -n 3 "$LATE_EXIT"; expect [ ! -s "$scratch/err" ]
  local how
  for how in works waits; do
    expect_status 1 oshrun -n 3 "$LATE_EXIT" $how; expect grep -q 'PE 0 .* has left while others are at work' "$scratch/err"
  done
}
a_crash_ends_sixteen_who_wait() { places="barrier wait"; expect_end 139 'was ended by signal 11' segv 16; }
a_global_exit_ends_those_who_wait() {
  local place
  for place in $places; do expect_status 9 oshrun -n 3 "$VICTIM" global "$place"; expect [ ! -s "$scratch/err" ]; done
}
a_status_ends_those_who_wait_after_start_pes() {
  export VICTIM_STARTS=start_pes
  expect_status 3 oshrun -n 3 "$VICTIM" 3 wait; expect grep -q 'PE 1 .* ended with status 3' "$scratch/err"
}
a_thread_that_reads_input_holds_nobody_up() {
  mkfifo "$scratch/input"; exec 5<>"$scratch/input"
  expect_status 1 oshrun -n 3 --stdin 1 "$VICTIM" refused wait <&5; expect grep -q 'PE number 3 does not exist' "$scratch/err"
  expect_status 9 oshrun -n 3 --stdin 1 "$VICTIM" reading wait <&5
  expect_status 9 "$VICTIM" reading alone <&5
}
a_global_exit_loses_no_output_to_a_slow_reader() {
  oshrun -n 3 "$VICTIM" verbose wait | { sleep 2; cat; } >"$scratch/out"
  expect [ "$(grep -c '^[0-9]\{9\}$' "$scratch/out")" = 400000 ]
}
killing_a_pe_from_outside_ends_those_who_wait() {
  start_oshrun -v -n 3 "$VICTIM" hang barrier >"$scratch/out" 2>"$scratch/err"
  expect_soon all_ready; kill -9 "$(pid_of 2)"
  wait "$launcher"; expect [ $? = 137 ]; expect grep -q 'PE 2 (pid' "$scratch/err"
}
killing_the_launcher_ends_all() {
  local place
  for place in $places; do
    start_oshrun -n 3 "$VICTIM" hang "$place" >"$scratch/out" 2>"$scratch/err"
    expect_soon all_ready; kill -9 "$launcher"; wait "$launcher" 2>/dev/null
    expect_soon nobody_survives; expect [ -z "$(names_of_memory)" ]
  done
}
killing_the_launcher_ends_pes_under_scripts() {
  start_oshrun -n 3 sh -c '"$VICTIM" hang barrier; echo no' >"$scratch/out" 2>"$scratch/err"
  expect_soon all_ready; kill -9 "$launcher"; wait "$launcher" 2>/dev/null; expect_soon nobody_survives
}
kills_at_random_moments_leave_nothing() {
  for _ in $(seq 30); do
    start_oshrun -n 3 "$VICTIM" hang barrier >"$scratch/out" 2>"$scratch/err"
    sleep 0.0$((RANDOM % 60)); kill -9 "$launcher"; wait "$launcher" 2>/dev/null
  done
  expect_soon nobody_survives
}
no_segment_of_any_kind_is_left() {
  local kind before; before=$(ipcs -m | wc -l)
  for kind in memfd posix sysv; do
    ATRIUM_SEGMENT=$kind expect_status 139 oshrun -n 3 "$VICTIM" segv barrier
    export ATRIUM_SEGMENT=$kind; start_oshrun -n 3 "$VICTIM" hang wait >"$scratch/out" 2>/dev/null; unset ATRIUM_SEGMENT
    expect_soon all_ready; kill -9 "$launcher"; wait "$launcher" 2>/dev/null; expect_soon nobody_survives
    expect [ -z "$(names_of_memory)" ]; expect [ "$(ipcs -m | wc -l)" = "$before" ]
  done
}
an_interrupted_job_is_silent() {
  start_oshrun -n 3 "$VICTIM" hang barrier >"$scratch/out" 2>"$scratch/err"
  expect_soon all_ready; kill -TERM "$launcher"; wait "$launcher"; expect [ $? = 143 ]; expect [ ! -s "$scratch/err" ]
}
a_stopped_job_goes_on() {
  start_oshrun -n 3 "$VICTIM" hang wait >"$scratch/out" 2>"$scratch/err"
  expect_soon all_ready; kill -TSTP "$launcher"; sleep 0.2; kill -CONT "$launcher"; sleep 0.2
  kill -TERM "$launcher"; wait "$launcher"; expect [ $? = 143 ]
}

function all_ready { [ "$(grep -cx ready "$scratch/out")" = 3 ]; }
function pid_of { sed -n "s/.*PE $1 is process //p" "$scratch/err"; }
# The thread of a program that starts a PE may end before it.
a_thread_that_started_a_pe_may_end() {
  need python3
  start_oshrun -n 2 python3 -c 'import subprocess, sys, threading, time
def start():
    global child; child = subprocess.Popen(sys.argv[1:], close_fds=False); time.sleep(0.5)
thread = threading.Thread(target=start); thread.start(); thread.join(); sys.exit(child.wait())' "$VICTIM" hang barrier >"$scratch/out" 2>"$scratch/err"
  sleep 1.5; expect kill -0 "$launcher"; expect [ ! -s "$scratch/err" ]
  kill -TERM "$launcher"; wait "$launcher"; expect [ $? = 143 ]
}
