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
each_line_is_named_with_its_function() {
  seen 'shmem_barrier_all();
  shmem_barrier_all(); for (int i = 0; i < 4; ++i)
    shmem_long_p(box, 1, next);'
  says ' 2 +0 B .* p.c:13 in main, shmem_barrier_all$'
  says ' 2 +0 B .* p.c:14 in main, shmem_barrier_all$'
  says ' 8 +64 B .* p.c:15 in main, shmem_long_p$'
}
lines_are_right_without_optimisation() {
  write_program 'shmem_barrier_all();
  shmem_long_p(box, 1, next);'
  compile -O0
  expect_status 0 profiled -n 2 ./p
  says 'p.c:13 in main, shmem_barrier_all$'
  says 'p.c:14 in main, shmem_long_p$'
}
# A library of that name which has nothing in it.
without_libdw_addr2line_knows_the_lines() {
  command -v addr2line >/dev/null || skip "addr2line is not installed"
  mkdir "$scratch/nothing"; echo 'int nothing;' | gcc -x c -shared - -o "$scratch/nothing/libdw.so.1"
  export LD_LIBRARY_PATH=$scratch/nothing
  seen 'shmem_barrier_all();
  shmem_long_p(box, 1, next);'
  says ' 2 +0 B .* p.c:13 in main, shmem_barrier_all$'
  says ' 2 +16 B .* p.c:14 in main, shmem_long_p$'
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
a_program_that_is_not_profiled_says_nothing() {
  write_program 'shmem_barrier_all();'; compile -O2
  expect_status 0 oshrun -n 2 "$scratch/p"
  expect [ ! -s "$scratch/err" ]
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
threads_are_counted_together() {
  cat >"$scratch/p.c" <<'END'
#include <pthread.h>
#include <shmem.h>
static long x;
static void *add(void *ignored) {
  for (int i = 0; i < 10000; ++i)
    shmem_long_atomic_inc(&x, 0);
  return ignored;
}
int main(void) {
  int provided;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  pthread_t thread[4];
  for (int i = 0; i < 4; ++i) pthread_create(&thread[i], NULL, add, NULL);
  for (int i = 0; i < 4; ++i) pthread_join(thread[i], NULL);
  shmem_finalize();
}
END
  compile -O2 -pthread
  expect_status 0 profiled -n 2 ./p
  says ' 80,000 +625 KiB .* p.c:6 in add, shmem_long_atomic_inc$'
}
# Four of them wait for the fifth; each thread is one share.
times_are_shares_of_those_of_the_threads() {
  cat >"$scratch/p.c" <<'END'
#include <pthread.h>
#include <shmem.h>
#include <unistd.h>
static uint64_t flag;
static void *work(void *ignored) { shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, 1); return ignored; }
int main(void) {
  int provided;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  pthread_t thread[4];
  for (int i = 0; i < 4; ++i) pthread_create(&thread[i], NULL, work, NULL);
  usleep(300000);
  shmem_uint64_atomic_set(&flag, 1, shmem_my_pe());
  for (int i = 0; i < 4; ++i) pthread_join(thread[i], NULL);
  shmem_finalize();
}
END
  compile -O2 -pthread
  expect_status 0 profiled -n 2 ./p
  says "^atrium: profile of p: 2 PEs with 10 threads that call, .*; [0-9.]{1,4} % of the threads' time in OpenSHMEM, "
  says "\\([0-9.]+ % of the threads' time\\); calls are not inlined"
  in_numbers p.profile 'all(number("PE", "time of threads", pe) > 2 * number("PE", "from init to finalize", pe) for pe in (0, 1))'
  in_numbers p.profile 'all(number("PE", "in OpenSHMEM", pe) < number("PE", "time of threads", pe) for pe in (0, 1))'
  expect grep -q '<b>10</b><span>threads that call</span>' "$scratch/p.profile.html"
  expect grep -q "of the threads' time in OpenSHMEM" "$scratch/p.profile.html"
}
# One after the other, more than there are places.
threads_that_have_ended_leave_their_places() {
  cat >"$scratch/p.c" <<'END'
#include <pthread.h>
#include <shmem.h>
static long x;
static void *add(void *ignored) { shmem_long_atomic_inc(&x, 0); return ignored; }
int main(void) {
  int provided;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  pthread_t thread;
  for (int i = 0; i < 300; ++i) pthread_create(&thread, NULL, add, NULL), pthread_join(thread, NULL);
  shmem_finalize();
}
END
  compile -O2 -pthread
  expect_status 0 profiled -n 1 ./p
  says '1 PE with 2 threads that call, '; says ' 300 +2.34 KiB .* shmem_long_atomic_inc$'; does_not_say 'threads had no room'
}
threads_that_have_no_room_are_told() {
  cat >"$scratch/p.c" <<'END'
#include <pthread.h>
#include <shmem.h>
static long x;
static pthread_barrier_t all;
static void *add(void *ignored) { shmem_long_atomic_inc(&x, 0); pthread_barrier_wait(&all); return ignored; }
int main(void) {
  int provided;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  pthread_t thread[299];
  pthread_barrier_init(&all, NULL, 300);
  for (int i = 0; i < 299; ++i) pthread_create(&thread[i], NULL, add, NULL);
  add(NULL);
  for (int i = 0; i < 299; ++i) pthread_join(thread[i], NULL);
  shmem_finalize();
}
END
  compile -O2 -pthread
  expect_status 0 profiled -n 1 ./p
  says '1 PE with 256 threads that call, '; says ' 300 +2.34 KiB .* shmem_long_atomic_inc$'
  says '^  44 threads had no room: their calls are counted, their time is not$'
}
a_child_of_fork_records_nothing() {
  seen 'fflush(NULL); if (fork() == 0) { for (int i = 0; i < 9; ++i) shmem_test_lock(heap); _exit(0); } usleep(1000);'
  does_not_say 'in main, shmem_test_lock'
}
a_static_program_is_refused() {
  write_program ''; cc "-I$SOURCE_TREE/include" -static "$scratch/p.c" "$BUILD_TREE/lib/libatrium.a" -o "$scratch/p" \
    -lstdc++ -lpthread -ldl 2>"$scratch/err" || { echo "no static link here"; exit 77; }
  expect_status 1 profiled -n 1 ./p
  says "cannot profile '.*p': it is static.*; try to link it without -static"
  for option in --top --trace=run.json; do
    expect_status 1 in_scratch "$option" -n 1 ./p; says "oshrun: ${option%=*} cannot look into '.*p': it is static"
  done
}
a_program_with_the_static_library_is_told() {
  is_instrumented && skip "a sanitized library cannot be linked statically"
  write_program ''; cc "-I$SOURCE_TREE/include" "$scratch/p.c" "$BUILD_TREE/lib/libatrium.a" -o "$scratch/p" \
    -lstdc++ -lpthread -ldl || exit 1
  expect_status 0 profiled -n 2 ./p
  says 'nothing was recorded.*libatrium.a'
}
a_program_without_openshmem_is_told() {
  expect_status 0 profiled -n 2 true
  says 'profile of true: nothing was recorded'
}
a_program_with_a_sanitizer_is_refused() {
  write_program ''; "$BUILD_TREE/bin/oshcc" -fsanitize=address "$scratch/p.c" -o "$scratch/p" || { echo "no sanitizer"; exit 77; }
  expect_status 1 profiled -n 1 ./p
  says 'sanitizer of its own'
}
the_profiler_leaks_nothing() {
  write_program 'shmem_free(heap); shmem_team_t pair; shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &pair); shmem_team_destroy(pair);'
  "$BUILD_TREE/bin/oshcc" -fsanitize=leak "$scratch/p.c" -o "$scratch/p" || { echo "no sanitizer"; exit 77; }
  for what in --profile --trace=run.json; do
    expect_status 0 in_scratch $what -n 2 ./p
    does_not_say 'LeakSanitizer'
  done
}
a_library_that_is_loaded_in_the_place_of_another_has_its_own_lines() {
  printf '#include <shmem.h>\nvoid use(long *to) {\n\n\n shmem_long_p(to, 1, 0); }\n' >"$scratch/first.c"
  printf '#include <shmem.h>\nvoid use(long *to) {\n shmem_long_p(to, 1, 0); }\n' >"$scratch/other.c"
  for library in first other; do
    "$BUILD_TREE/bin/oshcc" -g -shared -fPIC "$scratch/$library.c" -o "$scratch/$library.so" || complain "it does not compile"
  done
  write_program 'for (int i = 0; i < 200; i++) {
    void *library = dlopen(i % 2 ? "'"$scratch"'/other.so" : "'"$scratch"'/first.so", RTLD_NOW);
    void (*use)(long *) = (void (*)(long *))dlsym(library, "use");
    use(heap); dlclose(library); }'
  sed -i '1i #include <dlfcn.h>' "$scratch/p.c"
  compile -O1 -ldl; expect_status 0 profiled -n 1 ./p
  says ' 100 +800 B .* first.c:5 in use, shmem_long_p$'; says ' 100 +800 B .* other.c:3 in use, shmem_long_p$'
}
races_and_profile_do_not_go_together() {
  expect_status 2 profiled --check=races -n 1 true
  says 'cannot look for races and record in one run'
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
the_page_and_the_table_of_numbers_are_written() {
  seen 'shmem_putmem(heap, box, 700, next); shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1);' 3
  says 'written: p.profile.html'; says 'written: p.profile.csv'
  expect grep -q '<title>Profile of p</title>' "$scratch/p.profile.html"
  expect grep -qE "^<p>20[0-9-]+ [0-9:]+ [A-Z+0-9-]+, $(uname -n), Atrium [0-9.]+(, 3 PEs shared [12] CPUs?)?</p>$" "$scratch/p.profile.html"
  expect grep -qE '^<p><code>.*oshrun --profile -n 3 ./p</code></p>$' "$scratch/p.profile.html"
  expect grep -q 'p.c:13 in main' "$scratch/p.profile.html"
  expect grep -qE '^line,shmem_putmem,.*p.c,13,main,,,3,2100,' "$scratch/p.profile.csv"
  expect grep -qE '^traffic,put,,,,0,1,1,700,' "$scratch/p.profile.csv"
  expect [ "$(grep -cvE '^("[^"]*"|[^,]*)(,("[^"]*"|[^,]*)){11}$' "$scratch/p.profile.csv")" = 0 ]
  python3 - "$scratch/p.profile.html" <<'END' || complain "the page needs something from elsewhere, or is no good HTML"
import html.parser, re, sys
text, stack = open(sys.argv[1]).read(), []
class Reader(html.parser.HTMLParser):
    def handle_starttag(self, tag, attributes):
        assert not {"src", "href"} & {name for name, _ in attributes}, tag
        if tag != "meta": stack.append(tag)
    def handle_startendtag(self, tag, attributes): assert not {"src", "href"} & {name for name, _ in attributes}, tag
    def handle_endtag(self, tag): assert stack.pop() == tag, tag
Reader().feed(text)
assert not stack and "url(" not in text and "<script" not in text
END
}
who_waited_for_whose_signal_is_on_the_page_of_a_traced_job() {
  write_program 'for (unsigned i = 1; i <= 3; ++i) {
    if (me == 1) { usleep(100000); shmem_putmem_signal(heap, box, 8, &flag, i, SHMEM_SIGNAL_SET, 0); }
    if (me == 0) shmem_signal_wait_until(&flag, SHMEM_CMP_EQ, i);
    shmem_barrier_all(); }'; compile -O2
  expect_status 0 profiled -n 2 ./p; expect grep -q 'Only a trace knows which PE has ended a wait' "$scratch/p.profile.html"
  expect_status 0 profiled --trace=run.json -n 2 ./p; expect grep -q 'Who waited for whose signal' "$scratch/p.profile.html"
  expect [ "$(grep -c 'Only a trace' "$scratch/p.profile.html")" = 0 ]
  expect grep -qE '<td>0</td><td class="name">p.c:15 in main, shmem_signal_wait_until</td><td>1</td><td class="name">p.c:14 in main, shmem_putmem_signal</td><td>[1-3]</td>' "$scratch/p.profile.html"
  write_program 'shmem_barrier_all();'; compile -O2
  expect_status 0 profiled -n 2 ./p; expect [ "$(grep -c 'whose signal' "$scratch/p.profile.html")" = 0 ]
}
another_name_of_the_files() {
  write_program ''; compile -O2
  mkdir "$scratch/there"; expect_status 0 in_scratch --profile=there/run -n 2 ./p
  expect [ -s "$scratch/there/run.html" ]; expect [ -s "$scratch/there/run.csv" ]
}
a_file_that_cannot_be_written_is_told_before_the_job() {
  write_program 'puts("it ran");'; compile -O2
  expect_status 1 oshrun --profile=/nowhere/run -n 2 "$scratch/p"
  says "cannot write '/nowhere/run.html'"
  says 'No such file'; expect [ ! -s "$scratch/out" ]
  mkdir "$scratch/run.csv"; expect_status 1 oshrun --profile="$scratch/run" -n 2 "$scratch/p"
  says "cannot write '.*/run.csv'"; expect [ ! -s "$scratch/out" ]; expect [ ! -e "$scratch/run.html" ]
}
programs_without_openshmem_start_when_all_names_are_looked_up() {
  write_program ''; compile
  LD_BIND_NOW=1 expect_status 0 profiled -n 2 sh -c "true; exec '$scratch/p'"; expect [ "$(grep -c 'symbol lookup' "$scratch/err")" = 0 ]
}
a_full_disk_is_told() {
  [ -w /dev/full ] || skip "there is no /dev/full"
  write_program ''; compile -O2; ln -s /dev/full "$scratch/run.html"
  expect_status 1 oshrun --profile="$scratch/run" -n 2 "$scratch/p"
  says 'No space left on device'; says 'what is there is not whole'
}
a_full_disk_leaves_the_page_that_was_there() {
  write_program ''; compile -O2; mkdir "$scratch/disk"
  unshare -rm mount -t tmpfs -o size=8k none "$scratch/disk" 2>/dev/null || skip "no mounts"
  expect_status 1 unshare -rm sh -c 'mount -t tmpfs -o size=8k none "$1/disk"; echo before >"$1/disk/run.html"
    "$2" --profile="$1/disk/run" -n 2 "$1/p"; status=$?; cat "$1/disk/run.html" >&2; ls "$1/disk"; exit $status' sh "$scratch" "$BUILD_TREE/bin/oshrun"
  says "cannot write '.*disk/run.html'"; says 'nothing of it is left, and what was there before stays'; says '^before$'
  expect [ "$(grep -c part "$scratch/out")" = 0 ]
}
a_file_keeps_its_mode_and_a_link_stays_one() {
  write_program ''; compile -O2; touch "$scratch/real.csv"; chmod 640 "$scratch/real.csv"; ln -s real.csv "$scratch/run.csv"
  expect_status 0 oshrun --profile="$scratch/run" -n 2 "$scratch/p"
  expect [ -L "$scratch/run.csv" ]; expect [ "$(stat -c %a "$scratch/real.csv")" = 640 ]; expect [ -s "$scratch/real.csv" ]
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
other_hosts_are_refused() {
  expect_status 2 profiled --hosts nowhere-1,nowhere-2 -n 2 true
  says 'record the PEs of one machine'
}
lines_of_fortran_programs_are_theirs() {
  [ -x "$BUILD_TREE/bin/oshfort" ] && compgen -G "$BUILD_TREE/fortran_modules/*/shmem_f08.mod" >/dev/null || { echo "there is no gfortran and no flang"; exit 77; }
  cat >"$scratch/p.f90" <<'END'
program lines
  use shmem_f08
  integer(8), save :: word(10)
  integer(8) :: mine(10)
  call shmem_init()
  mine = shmem_my_pe()
  call shmem_put(word(1:9:2), mine(1:9:2), 0)
  call shmem_finalize()
end program
END
  (cd "$scratch" && "$BUILD_TREE/bin/oshfort" -g p.f90 -o p) || complain "it does not compile"
  expect_status 0 profiled -n 2 ./p
  says ' p.f90:7 in lines, shmem_ctx_iput64$'
}
# Its functions lie within others, and their code does not.
lines_of_parallel_regions_are_theirs() {
  cat >"$scratch/p.c" <<'END'
#include <shmem.h>
static long x;
int main(void) {
  int level;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level);
#pragma omp parallel num_threads(3)
  for (int i = 0; i < 100; i++)
    shmem_long_atomic_inc(&x, 0);
  shmem_finalize();
}
END
  "$BUILD_TREE/bin/oshcc" -g -O2 -fopenmp "$scratch/p.c" -o "$scratch/p" || skip "gcc has no OpenMP"
  expect_status 0 profiled -n 2 ./p
  says ' 600 +4.69 KiB .* p.c:[78] in (main|a parallel region), shmem_long_atomic_inc$'
}
lines_of_programs_that_clang_compiled() {
  command -v clang >/dev/null || { echo "clang is missing"; exit 77; }
  write_program 'shmem_barrier_all();
  shmem_long_p(box, 1, next);'
  OSHCC_CC=clang compile -O2
  expect_status 0 profiled -n 2 ./p
  says 'p.c:13 in main, shmem_barrier_all$'
  says 'p.c:14 in main, shmem_long_p$'
}
