# The tables that oshrun --profile prints.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317,SC2154
. "$SOURCE_TREE/tests/profile/programs.sh"

calls_and_bytes_of_each_routine_are_exact() {
  seen 'for (int i = 0; i < 10; ++i) shmem_long_put(heap, box, 100, next); shmem_long_p(box, 1, next);
        (void)shmem_long_g(box, next); shmem_int_atomic_fetch_inc((int *)box, next); shmem_quiet();' 3
  says '^atrium: profile of p: 3 PEs, .* of their time in OpenSHMEM, .* waiting'
  says ' 30 +23.4 KiB .* shmem_long_put$'
  says ' 3 +24 B .* shmem_long_p$'
  says ' 3 +24 B .* shmem_long_g$'
  says ' 3 +12 B .* shmem_int_atomic_fetch_inc$'
  says ' 3 +0 B .* shmem_quiet$'
  says ' 3 +2.34 KiB .* shmem_malloc$'
}
who_sent_how_much_to_whom() {
  seen 'if (me == 0) shmem_putmem(heap, box, 700, 2); if (me == 1) shmem_getmem(box, heap, 600, 2);' 3
  says ' 700 B +1 +0 B +0 +0 to 2$'
  says ' 0 B +0 +600 B +1 +2 to 1$'
  does_not_say '1 to 2$'
}
operations_of_a_team_context_go_to_the_right_pe() {
  seen 'shmem_team_t odd; shmem_ctx_t ctx;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 2, 2, NULL, 0, &odd);
  if (me == 1 && shmem_team_create_ctx(odd, 0, &ctx) == 0) {
    shmem_ctx_putmem(ctx, heap, box, 500, 1); shmem_ctx_destroy(ctx); }' 4
  says ' 500 B .* 1 to 3$'
}
who_came_last_is_named() {
  seen 'for (int i = 0; i < 6; ++i) {
    if (me == 2) { shmem_uint64_wait_until(&flag, SHMEM_CMP_GE, 3 * (uint64_t)(i + 1)); usleep(100000); }
    else shmem_uint64_atomic_inc(&flag, 2);
    if (me == 0) shmem_uint64_atomic_inc(&flag, 2);
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1); }' 3
  says '^ .* 6 of 6 +2 +p.c:17 in main, shmem_long_sum_reduce$'
}
a_broadcast_waits_for_its_root() {
  seen 'if (me == 1) { shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, 1); usleep(300000); } else shmem_uint64_atomic_inc(&flag, 1);
  shmem_long_broadcast(SHMEM_TEAM_WORLD, box, heap, 1, 1);'
  says ' 1 of 1 +1 +p.c:14 in main, shmem_long_broadcast$'
}
the_bytes_of_a_broadcast_are_those_of_its_root() {
  seen 'shmem_long_broadcast(SHMEM_TEAM_WORLD, box, heap, 10, 2); shmem_long_fcollect(SHMEM_TEAM_WORLD, box, heap, 10);' 3
  says ' 3 +80 B .* shmem_long_broadcast$'
  says ' 3 +240 B .* shmem_long_fcollect$'
}
memory_is_told_by_the_line_that_allocated() {
  seen 'void *a = shmem_malloc(3 << 20);
  void *b = shmem_calloc(1 << 20, 2);
  shmem_free(a); a = shmem_malloc(1 << 20); shmem_free(b);'
  says ' 3.00 MiB +3.00 MiB +0 B +p.c:13 in main, shmem_malloc$'
  says ' 2.00 MiB +2.00 MiB +0 B +p.c:14 in main, shmem_calloc$'
  says ' 1.00 MiB +1.00 MiB +1.00 MiB +p.c:15 in main, shmem_malloc$'
}
the_cost_of_measuring_is_told() {
  seen 'shmem_barrier_all();'
  says 'measuring cost [0-9]+ ns a call, .* for [0-9]+ calls'
}
pcontrol_switches_off_and_on() {
  seen 'shmem_pcontrol(0); for (int i = 0; i < 5; ++i) shmem_barrier_all(); shmem_pcontrol(1);
  for (int i = 0; i < 7; ++i) shmem_barrier_all();' 3
  says ' 21 +0 B .* p.c:14 in main, shmem_barrier_all$'
  does_not_say 'p.c:13 .*shmem_barrier_all'
  does_not_say 'could not be compared'
}
# All that is recorded is a wait.
what_pcontrol_switches_off_is_no_part_of_the_time() {
  seen 'shmem_pcontrol(0); usleep(400000); shmem_pcontrol(1);
  if (me == 0) { shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, 1); } else { usleep(300000); shmem_uint64_atomic_inc(&flag, 0); }'
  says "^atrium: profile of p: 2 PEs, .* of it recorded; .* of their recorded time in OpenSHMEM, "
  in_numbers p.profile 'all(number("PE", "recorded", pe) + 0.4 <= number("PE", "from init to finalize", pe) for pe in (0, 1))'
  in_numbers p.profile 'all(number("PE", "time of threads", pe) <= number("PE", "recorded", pe) for pe in (0, 1))'
  expect grep -q 'of it recorded' "$scratch/p.profile.html"
}
# A call that has not come back when its PE is ended is where the time went.
a_call_that_its_pe_ended_in_counts_until_then() {
  write_program 'if (me == 0) shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, 1);
  if (me == 1) shmem_barrier_all(); else { usleep(300000); raise(SIGKILL); }'
  compile -O2
  expect_status 137 profiled -n 3 ./p
  says ' 1 +0 B .* p.c:13 in main, shmem_uint64_wait_until$'
  says '  PE 0 did not come to shmem_finalize: it was in shmem_uint64_wait_until, p.c:13 in main, and was ended with the job$'
  says '  PE 2 did not come to shmem_finalize: it was computing, and was ended by signal 9 \(Killed\)$'
  in_numbers p.profile 'all(number("line", r, column=c) > 0.25 for r in ("shmem_uint64_wait_until", "shmem_barrier_all") for c in ("seconds", "waiting_seconds"))'
  in_numbers p.profile 'all(number("PE", "from init to finalize", pe) > 0.25 for pe in range(3)) and number("PE", "in OpenSHMEM", 2) < 0.25'
}
the_pe_that_ends_the_job_was_in_that_call() {
  write_program 'if (me == 1) shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, 1); usleep(100000);
  shmem_global_exit(3);'
  compile -O2
  expect_status 3 profiled -n 2 ./p
  says '  PE 0 did not come to shmem_finalize: it was in shmem_global_exit, p.c:14 in main, and ended with status 3$'
  says '  PE 1 did not come to shmem_finalize: it was in shmem_uint64_wait_until, p.c:13 in main, and was ended with the job$'
}
a_crash_leaves_the_table_of_all_pes() {
  write_program 'shmem_barrier_all(); if (me == 0) shmem_uint64_atomic_inc(&flag, 1);
  if (me == 1) { shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, 1); raise(SIGKILL); }
  shmem_barrier_all();'
  compile -O2
  expect_status 137 profiled -n 2 ./p
  says '2 +0 B .* p.c:13 in main, shmem_barrier_all$'
  says 'PE 1 did not come to shmem_finalize: it was computing'
  says 'PE 0 did not come to shmem_finalize: it was (computing|in shmem_barrier_all, p.c:15 in main)'
}
the_profiler_leaks_nothing() {
  write_program 'shmem_free(heap); shmem_team_t pair; shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &pair); shmem_team_destroy(pair);'
  "$BUILD_TREE/bin/oshcc" -fsanitize=leak "$scratch/p.c" -o "$scratch/p" || { echo "no sanitizer"; exit 77; }
  for what in --profile --trace=run.json; do
    expect_status 0 in_scratch $what -n 2 ./p
    does_not_say 'LeakSanitizer'
  done
}
arguments_are_checked_as_well() {
  write_program 'shmem_long_p(box, 1, 99);'; compile -O2
  expect [ "$(profiled --check -n 2 ./p 2>"$scratch/err"; echo $?)" != 0 ]
  says 'PE number 99'
  says 'profile of p: 2 PEs'
}
many_pes_on_few_cores() {
  seen 'for (int i = 0; i < 20; ++i) shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1);' 64
  says ' 1,280 +10.0 KiB .* shmem_long_sum_reduce$'
}
pretended_nodes_are_profiled_alike() {
  write_program 'shmem_putmem(heap, box, 700, next); shmem_barrier_all();'; compile -O2
  expect_status 0 profiled --nodes 2 -n 4 ./p
  says ' 700 B .* 1 to 2$'
  says ' 4 +0 B .* shmem_barrier_all$'
}
a_script_hands_the_records_on() {
  write_program 'shmem_barrier_all();'; compile -O2
  printf '#!/bin/sh\n./p\n' >"$scratch/run"; chmod +x "$scratch/run"
  expect_status 0 profiled -n 2 ./run
  says ' 2 +0 B .* p.c:13 in main, shmem_barrier_all$'
}
# Of the page: the program, what it prints but for the numbers, and the line that repairs it.
function of_the_page { sed -n '/^```c$/,/^```$/p' "$SOURCE_TREE/docs/howto/see-where-time-goes.md" | sed '/^```/d'; }
the_how_to_is_true() {
  of_the_page | sed '/^    for (int row = me; /d' >"$scratch/rows.c"
  "$BUILD_TREE/bin/oshcc" -g -O2 "$scratch/rows.c" -o "$scratch/rows" || complain "it does not compile"
  expect_status 0 profiled -n 2 ./rows
  local before; before=$(cat "$scratch/out")
  says '^ .*PE with most +line$'; says ' 10 +80 B .* rows.c:18 in main, shmem_double_sum_reduce$'
  says ' of 5 +[01] +rows.c:18 in main, shmem_double_sum_reduce$'
  grep -q 'rows.c:18 in main, shmem_double_sum_reduce' "$SOURCE_TREE/docs/howto/see-where-time-goes.md" || complain "the page shows another line"
  sed -i "17s/.*/$(of_the_page | grep '^    for (int row = me; ' | sed 's/[&/]/\\&/g')/" "$scratch/rows.c"
  "$BUILD_TREE/bin/oshcc" -g -O2 "$scratch/rows.c" -o "$scratch/rows" || complain "it does not compile"
  expect_status 0 profiled -n 2 ./rows
  expect [ "$(cat "$scratch/out")" = "$before" ]
}
