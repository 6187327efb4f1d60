# Programs that hang: what oshrun tells of their PEs on SIGUSR1 and at the time limit.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317  # PEs expand their own variables; cases are called by name

function is_ready { grep -qx ready "$scratch/out"; }
function start_job { start_oshrun "$@" >"$scratch/out" 2>"$scratch/err"; expect_soon is_ready; }
# A wait is told once it has lasted a second, so one asks until the answer is there.
function asked_it_says { kill -USR1 "$launcher"; sleep 0.2; grep -q -- "$1" "$scratch/err"; }
function end_job { kill -TERM "$launcher"; wait "$launcher"; expect [ $? = 143 ]; : >"$scratch/err"; }

the_pe_that_never_joins_is_named() {
  for place in barrier reduce finalize; do
    start_job -n 3 "$VICTIM" hang $place
    expect_soon asked_it_says '^  PEs 0,2: in .*, for PE 1 (since [0-9]'
    expect grep -q '^  PE 1: in no long wait; process [0-9]* sleeps$' "$scratch/err"
    end_job
  done
}
sixteen_pes_take_two_lines() {
  start_job -n 16 "$VICTIM" hang barrier
  expect_soon asked_it_says '^  PEs 0,2-15: in .*, called from .*, for PE 1 (since [0-9]'
  end_job
}
a_wait_names_its_word_and_what_it_is_to_be() {
  start_job -n 2 "$VICTIM" hang wait
  expect_soon asked_it_says '^  PE 0: in .*, called from \(main of victim\|victim.c:[0-9]* in \(main\|wait_in\)\), `flag` to be != 0 (since [0-9]'
  end_job
}
a_long_path_loses_its_front() {
  need strip
  local deep; deep=$scratch/$(printf '%0200d' 0)/deep; mkdir -p "$deep"; strip -o "$deep/program" "$VICTIM"
  start_job -n 2 "$deep/program" hang wait
  expect_soon asked_it_says '^  PE 0: in .* from \.\.\.0*/deep/program+0x[0-9a-f]*, the word at 0x[0-9a-f]* to be != 0 (since [0-9]'
  end_job
}
a_wait_for_a_lock_is_told() {
  start_job -n 2 "$VICTIM" hang lock
  expect_soon asked_it_says '^  PE 0: in \(a wait for a lock\|shmem_set_lock\), .*, for PE 1 (since [0-9]'
  end_job
}
stopped_pes_are_told_like_others() {
  start_job -n 3 "$VICTIM" hang barrier
  expect_soon asked_it_says '^  PEs 0,2: in .*, for PE 1 '
  pkill -STOP -P "$launcher"
  expect_soon asked_it_says '^  PEs 0,2: in .*, stopped, for PE 1 '
  expect_soon asked_it_says '^  PE 1: .* is stopped$'
  pkill -CONT -P "$launcher"; end_job
}
whom_shmem_init_waits_for_is_named() {
  start_job -n 3 bash -c '[ $ATRIUM_JOB_PE != 1 ] || { echo ready; exec sleep 100; }; exec "$0" hang barrier' "$VICTIM"
  expect_soon asked_it_says '^  PEs 0,2: in shmem_init, for PE 1$'
  expect grep -q '^  PE 1: has not called shmem_init; process [0-9]* sleeps$' "$scratch/err"
  end_job
}
pes_that_do_not_wait_share_a_line() {
  start_job -n 4 sh -c 'echo ready; exec sleep 100'
  expect_soon asked_it_says '^  PEs 0-3: have not called shmem_init; processes sleep$'
  end_job
}
the_time_limit_tells_it_too() {
  expect_status 124 oshrun --timeout 4 -n 2 "$VICTIM" hang barrier
  expect grep -q 'where the PEs are' "$scratch/err"; expect grep -q '^  PE 0: in .*, for PE 1 ' "$scratch/err"
  expect [ "$(grep -c '^  try: ' "$scratch/err")" = 0 ]
}
a_loop_of_the_program_is_suspected_at_the_time_limit() {
  printf '#include <shmem.h>\nint main(void) {\n  shmem_init();\n  long* flag = shmem_calloc(1, sizeof *flag);\n  if (shmem_my_pe() == 1)\n    while (*flag == 0) continue;\n  shmem_barrier_all();\n}\n' >"$scratch/loop.c"
  "$BUILD_TREE/bin/oshcc" -O1 "$scratch/loop.c" -o "$scratch/loop"
  expect_status 124 oshrun --timeout 4 -n 3 "$scratch/loop"
  expect grep -q '^  PE 1: in no long wait; process [0-9]* runs$' "$scratch/err"
  expect grep -q '^  try: .*where a loop of PE 1 waits for a variable to change, shmem_wait_until: ' "$scratch/err"
}
pes_that_wait_for_the_same_word_share_a_line() {
  printf '#include <shmem.h>\nint main(void) {\n  shmem_init();\n  static int flag;\n  long* words = shmem_calloc(8, sizeof *words);\n  if (shmem_my_pe() %% 2) shmem_int_wait_until(&flag, SHMEM_CMP_NE, 0);\n  shmem_long_wait_until(words + 3, SHMEM_CMP_GE, 7);\n}\n' >"$scratch/words.c"
  "$BUILD_TREE/bin/oshcc" -g "$scratch/words.c" -o "$scratch/words"
  expect_status 124 oshrun --timeout 4 -n 6 "$scratch/words"
  expect grep -q '^  PEs 1,3,5: in .*, `flag` to be != 0 (since [0-9]' "$scratch/err"
  expect grep -q '^  PEs 0,2,4: in .*, the word 24 bytes into its block of 64 bytes.*, to be >= 7 (since [0-9]' "$scratch/err"
}
a_word_without_a_name_has_its_address() {
  cp "$VICTIM" "$scratch/stripped"; strip "$scratch/stripped"
  start_job -n 2 "$scratch/stripped" hang wait
  expect_soon asked_it_says '^  PE 0: in .*, the word at 0x[0-9a-f]* to be != 0 (since [0-9]'
  end_job
}
where_a_line_is_known_it_stands_there() {
  needs_lines
  printf '#include <shmem.h>\n#include <unistd.h>\nstatic int flag;\nint main(int argc, char** argv) {\n  (void)argv;\n  shmem_init();\n  while (shmem_my_pe() == 1) sleep(1);\n  if (argc > 1) shmem_barrier_all();\n  shmem_int_wait_until(&flag, SHMEM_CMP_NE, 0);\n}\n' >"$scratch/hang.c"
  "$BUILD_TREE/bin/oshcc" -g -O1 "$scratch/hang.c" -o "$scratch/hang"
  expect_status 124 oshrun --timeout 4 -n 2 "$scratch/hang"
  expect grep -q '^  PE 0: in .*called from hang.c:9 in main, `flag` to be != 0 (since [0-9]' "$scratch/err"
  expect_status 124 oshrun --timeout 4 -n 3 "$scratch/hang" barrier
  expect grep -q '^  PEs 0,2: in .*called from hang.c:8 in main, for PE 1 (since [0-9]' "$scratch/err"
}
