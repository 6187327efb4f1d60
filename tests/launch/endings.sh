# How a PE may end, and what that does to the others. Those who stay behind would wait for ever.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317  # PEs expand their own variables; cases are called by name

function says { grep -q -- "$1" "$scratch/err"; }
function silent { [ ! -s "$scratch/err" ]; }
# Every report names the PE, its process and the host.
function names_pe_1 { says "PE 1 (pid [0-9]*) on $(uname -n)"; }

all_well_is_silent() { expect_status 0 oshrun -n 4 "$SEAT" init finalize; expect silent; }
a_status_ends_the_job_and_becomes_its_own() { expect_status 3 oshrun -n 3 "$SEAT" init 1:exit=3 hang; expect names_pe_1; expect says 'status 3'; expect [ "$(grep -c gdb "$scratch/err")" = 0 ]; }
a_status_without_shmem_ends_the_job() { expect_status 3 oshrun -n 3 "$SEAT" 1:exit=3 hang; expect names_pe_1; }
a_crash_ends_the_job() { expect_status 139 oshrun -n 3 "$SEAT" init 1:kill=11 hang; expect names_pe_1; expect says 'Segmentation fault'; expect says 'backtrace'; }
an_abort_ends_the_job() { expect_status 134 oshrun -n 3 "$SEAT" init 1:kill=6 hang; expect names_pe_1; expect says 'signal 6'; expect says 'assertions and uncaught exceptions'; }
a_kill_ends_the_job() { expect_status 137 oshrun -n 3 "$SEAT" init 1:kill=9 hang; expect names_pe_1; expect says 'signal 9'; }
others_that_are_deaf_are_killed() { expect_status 139 oshrun -n 3 "$SEAT" deaf init 1:kill=11 hang hang hang; }
others_that_spin_are_killed() { expect_status 139 oshrun -n 3 "$SEAT" deaf init 1:kill=11 spin; }
leaving_early_ends_the_job() { expect_status 1 oshrun -n 3 "$SEAT" init 1:exit=0 hang; expect names_pe_1; expect says 'shmem_finalize'; }
all_leaving_early_together_is_no_error() { expect_status 0 oshrun -n 3 "$SEAT" init !1:sleep=0.2; expect silent; }
a_status_after_finalize_lets_the_others_finish() {
  expect_status 3 oshrun -n 3 "$SEAT" init finalize 1:exit=3 sleep=0.3 print=done
  expect [ "$(grep -c 'done' "$scratch/out")" = 2 ]; expect says 'status 3'
}
a_status_after_finalize_ends_those_who_hang() { expect_status 3 oshrun -n 3 "$SEAT" init finalize 1:exit=3 init hang; expect names_pe_1; }
a_pe_that_has_explained_is_not_explained_again() { expect_status 5 oshrun -n 3 "$SEAT" init 1:explain 1:exit=5 hang; expect silent; }
never_coming_ends_those_who_wait() { expect_status 1 oshrun -n 3 "$SEAT" 1:exit=0 init hang; expect names_pe_1; expect says 'shmem_init'; }
never_coming_is_fine_when_nobody_comes() { expect_status 0 oshrun -n 3 "$SEAT" 1:exit=0 sleep=1.2 print=done; expect [ "$(grep -c 'done' "$scratch/out")" = 2 ]; }
a_global_exit_ends_the_job_with_its_status() {
  expect_status 7 oshrun -n 3 "$SEAT" init 1:global_exit=7 1:exit=7 hang; expect silent
  expect_status 0 oshrun -n 3 "$SEAT" init 1:global_exit=0 1:exit=0 hang; expect silent
  expect_status 7 oshrun -n 3 "$SEAT" init 1:global_exit=7 hang; expect silent
}
the_first_failure_counts() { expect_status 4 oshrun -n 3 "$SEAT" init 1:exit=4 sleep=0.2 exit=5; expect [ "$(grep -c '(pid' "$scratch/err")" = 1 ]; }
what_a_pe_said_comes_before_the_report() {
  oshrun -n 2 "$SEAT" init "1:start=last words" 1:kill=11 hang >"$scratch/both" 2>&1
  expect [ "$(head -n 1 "$scratch/both")" = 'last words' ]
}
function need_vfork { ! has_thread_sanitizer || skip "ThreadSanitizer makes fork of vfork: why there is no program stays in the child"; }
a_program_without_a_known_format_is_explained() {
  need_vfork
  printf 'echo hi\n' >"$scratch/script"; chmod +x "$scratch/script"
  expect_status 126 oshrun -n 2 "$scratch/script"; expect says '#!'
}
a_program_that_cannot_be_executed_is_status_126() {
  need_vfork
  printf '#!/no/such/interpreter\n' >"$scratch/script"; chmod +x "$scratch/script"
  expect_status 126 oshrun -n 2 "$scratch/script"; expect says 'interpreter'
  printf '#!/bin/sh\r\ntrue\r\n' >"$scratch/script"
  expect_status 126 oshrun -n 2 "$scratch/script"; expect says 'try: *dos2unix .*script: its lines end as those of Windows do'
  head -c 100 "$SEAT" >"$scratch/script"; expect_status 126 oshrun -n 2 "$scratch/script"; expect says 'complete program'
  : >"$scratch/script"; expect_status 126 oshrun -n 2 "$scratch/script"
}
a_source_is_no_program_and_says_which_compiler_makes_one() {
  : >"$scratch/heat.c"; expect_status 126 oshrun -n 2 "$scratch/heat.c"; expect says 'oshcc .*heat.c -o'
  : >"$scratch/heat.f90"; expect_status 126 oshrun -n 2 "$scratch/heat.f90"; expect says 'oshfort .*heat.f90 -o'
}
a_program_for_another_machine_says_for_which() {
  need_vfork
  head -c 4096 "$SEAT" >"$scratch/program"; chmod +x "$scratch/program"
  printf '\363\000' | dd of="$scratch/program" bs=1 seek=18 conv=notrunc status=none  # the machine, in its header: RISC-V
  oshrun -n 2 "$scratch/program" 2>/dev/null && skip "this machine runs programs of others"
  expect_status 126 oshrun -n 2 "$scratch/program"; expect says 'for this machine: it is a program for RISC-V'
}
an_explained_error_under_a_script_that_returns_0_ends_the_job() {
  expect_status 1 oshrun -n 2 sh -c '"$SEAT" register init 1:explain 1:exit=5 hang; true'; expect silent
}
a_crash_under_a_script_that_goes_on_ends_the_job() {
  expect_status 1 oshrun -n 2 sh -c '"$SEAT" register init 1:kill=11 hang; sleep 1000'
  expect says 'PE 1 (pid [0-9]*) on .* has ended between shmem_init and shmem_finalize'
}
a_crash_under_a_script_is_seen_long_after_init() {
  expect_status 1 oshrun -n 2 sh -c '"$SEAT" register init 1:sleep=1.5 1:kill=11 hang; sleep 1000'; expect names_pe_1
}
an_explained_error_under_a_script_that_goes_on_ends_the_job() {
  expect_status 1 oshrun -n 2 sh -c '"$SEAT" register init 1:explain 1:exit=5 hang; sleep 1000'; expect silent
}
the_status_of_a_script_counts_when_it_comes_in_time() {
  expect_status 7 oshrun -n 2 sh -c '"$SEAT" register init sleep=0.8 1:kill=11 hang; sleep 0.3; exit 7'
}
programs_that_all_end_early_leave_their_scripts_alone() {
  expect_status 0 oshrun -n 2 sh -c '"$SEAT" register init; sleep 2'; expect silent
}
every_pe_may_fail_at_once() { expect_status 139 oshrun -n 16 "$SEAT" init kill=11; expect [ "$(grep -c 'was ended' "$scratch/err")" = 1 ]; }
