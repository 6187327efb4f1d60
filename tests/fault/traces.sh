# Back traces of crashes.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317  # PEs expand their own variables; cases are called by name

a_crash_shows_where_it_was() {
  has_sanitizers && skip "a sanitizer tells a crash in its own way"
  expect_status 139 oshrun --backtrace -n 2 "$VICTIM" segv barrier
  expect grep -q 'PE 1 on .*signal 11 at address 0x10' "$scratch/err"
  ! gdb -batch -ex run --args true >/dev/null 2>&1 </dev/null || expect grep -q 'end_by\|main' "$scratch/err"
  expect grep -q 'PE 1 (pid .* was ended by signal 11' "$scratch/err"
}
a_null_pointer_is_address_0() {
  printf '#include <shmem.h>\nint* volatile nowhere;\nint main(void) {\n  shmem_init();\n  *nowhere = 1;\n}\n' >"$scratch/null.c"
  "$BUILD_TREE/bin/oshcc" -g -O0 "$scratch/null.c" -o "$scratch/null"
  mistakes_may_happen
  expect_status 139 oshrun -n 1 "$scratch/null"; expect grep -q 'signal 11 at address 0, at null.c:5 in main' "$scratch/err"
  expect_status 139 oshrun --backtrace -n 1 "$scratch/null"; expect grep -q 'signal 11 at address 0; back trace' "$scratch/err"
}
# There the numbers of /proc are not those of getpid().
a_crash_in_a_pid_namespace_has_its_line() {
  has_sanitizers && skip "a sanitizer tells a crash in its own way"
  printf '#include <shmem.h>\nint* volatile nowhere;\nint main(void) {\n  shmem_init();\n  *nowhere = 1;\n}\n' >"$scratch/null.c"
  "$BUILD_TREE/bin/oshcc" -g -O0 "$scratch/null.c" -o "$scratch/null"
  unshare --pid --fork true 2>/dev/null || skip "no PID namespaces here"
  expect_status 139 oshrun -n 2 unshare --pid --fork "$scratch/null"; expect grep -q 'at null.c:5 in main' "$scratch/err"
}
gdb_shows_each_thread_from_where_it_was_and_nothing_else() {
  gdb -batch -ex run --args true >/dev/null 2>&1 </dev/null || { echo "gdb cannot trace processes here"; return 77; }
  has_sanitizers && skip "gdb would stop in the vfork of sanitizers"
  printf '#include <pthread.h>\n#include <shmem.h>\n#include <unistd.h>\nint* volatile nowhere;\nvoid* rest(void* mine) {\n  pause();\n  return mine;\n}\nvoid go_wrong(void) {\n  *nowhere = 1;\n}\nint main(void) {\n  pthread_t other;\n  shmem_init();\n  pthread_create(&other, 0, rest, 0);\n  go_wrong();\n}\n' >"$scratch/wrong.c"
  "$BUILD_TREE/bin/oshcc" -g -O0 "$scratch/wrong.c" -o "$scratch/wrong"
  mistakes_may_happen
  expect_status 139 oshrun -q --backtrace -n 1 "$scratch/wrong"
  expect grep -q 'go_wrong () at .*wrong.c:10' "$scratch/err"; expect grep -q 'main () at .*wrong.c:16' "$scratch/err"
  expect grep -q 'rest (mine=0x0) at .*wrong.c:6' "$scratch/err"
  expect [ "$(grep -c 'on_fault\|trace_with\|handler called\|libthread_db\|New LWP\|detached' "$scratch/err")" = 0 ]
}
a_crash_in_a_routine_names_the_routine_and_its_caller() {
  is_instrumented && skip "a sanitizer has handlers of its own"
  printf '#include <shmem.h>\nstatic int word;\nstatic int* volatile nowhere;\nint main(void) {\n  shmem_init();\n  shmem_int_get(nowhere, &word, 1, 0);\n}\n' >"$scratch/wrong.c"
  "$BUILD_TREE/bin/oshcc" -O1 --no-inline "$scratch/wrong.c" -o "$scratch/wrong"
  mistakes_may_happen
  expect_status 139 oshrun -q -n 1 "$scratch/wrong"
  expect grep -q ': signal 11 at address .*, in \(p*shmem_int_get\|libatrium.so\), called from main$' "$scratch/err"
}
# All that gdb would say of it is more than a pipe holds.
gdb_shows_a_stack_without_end_too() {
  gdb -batch -ex run --args true >/dev/null 2>&1 </dev/null || { echo "gdb cannot trace processes here"; return 77; }
  has_sanitizers && skip "gdb would stop in the vfork of sanitizers"
  ulimit -Ss 8192
  printf '#include <shmem.h>\nint dive_down_to_the_bottom_of_the_stack_where_nothing_is_left(int depth, double a_first_argument, double a_second_argument) {\n  volatile char room[4096];\n  room[0] = 1;\n  return dive_down_to_the_bottom_of_the_stack_where_nothing_is_left(depth + room[0], a_first_argument, a_second_argument) + room[0];\n}\nint main(void) {\n  shmem_init();\n  return dive_down_to_the_bottom_of_the_stack_where_nothing_is_left(1, 2, 3);\n}\n' >"$scratch/deep.c"
  "$BUILD_TREE/bin/oshcc" -g -O0 -w "$scratch/deep.c" -o "$scratch/deep"
  mistakes_may_happen
  expect_status 139 oshrun -q --backtrace -n 1 "$scratch/deep"
  expect grep -q '^#[0-9]* .*nothing_is_left (depth=2[0-9]*, a_first' "$scratch/err"
  expect [ "$(grep -c '^#' "$scratch/err")" -le 200 ]
}
# Of each the first line, the frames and the advice stand together.
back_traces_of_pes_that_crash_at_once_do_not_mix() {
  has_sanitizers && skip "a sanitizer has handlers of its own"
  printf '#include <shmem.h>\n#include <unistd.h>\nint* volatile nowhere;\nint main(void) {\n  shmem_init();\n  shmem_barrier_all();\n  *nowhere = 1;\n}\n' >"$scratch/wrong.c"
  "$BUILD_TREE/bin/oshcc" -g -O0 "$scratch/wrong.c" -o "$scratch/wrong"
  mistakes_may_happen
  local times
  for times in 1 2 3 4 5; do
    expect_status 139 env PATH=/nowhere "$BUILD_TREE/bin/oshrun" -q --backtrace -n 6 "$scratch/wrong"
    expect grep -q '^ *#0 .*main' "$scratch/err"
    expect [ "$(awk '/back trace:$/ {++begun} /^  try:     oshcc -g/ {++ended} begun - ended > 1 {print}' "$scratch/err" | wc -l)" = 0 ]
  done
}
an_abort_shows_where_it_was() {
  has_sanitizers && skip "gdb would stop in the vfork of sanitizers"
  expect_status 134 oshrun --backtrace -n 2 "$VICTIM" abort barrier; expect grep -q 'abort' "$scratch/err"
}
a_crash_shows_names_where_there_is_no_gdb() {
  PATH=/nowhere expect_status 139 /usr/bin/env "$BUILD_TREE/bin/oshrun" -q --backtrace -n 2 "$VICTIM" segv barrier
  expect grep -q 'gdb' "$scratch/err"; expect grep -q victim "$scratch/err"
}
a_crash_without_gdb_shows_file_and_line_and_begins_where_it_was() {
  needs_lines
  printf '#include <shmem.h>\nint* volatile nowhere;\nvoid go_wrong(void) {\n  *nowhere = 1;\n}\nint main(void) {\n  shmem_init();\n  go_wrong();\n}\n' >"$scratch/wrong.c"
  "$BUILD_TREE/bin/oshcc" -g -O0 "$scratch/wrong.c" -o "$scratch/wrong"
  mistakes_may_happen
  PATH=/nowhere expect_status 139 /usr/bin/env "$BUILD_TREE/bin/oshrun" -q --backtrace -n 1 "$scratch/wrong"
  expect grep -q '#0 *go_wrong at .*wrong.c:4' "$scratch/err"
  expect grep -q '#1 *main at .*wrong.c:8' "$scratch/err"
  expect [ "$(grep -c 'on_fault\|restore_rt\|trace_' "$scratch/err")" = 0 ]
}
a_crash_inside_the_allocator_still_ends() {
  printf '#include <shmem.h>\n#include <signal.h>\n#include <stdlib.h>\nint main(void) {\n  shmem_init();\n  char* a = malloc(100);\n  for (int i = -16; i < 4000; i++) a[i] = 0x55;\n  free(malloc(5000)), free(a), abort();\n}\n' >"$scratch/torn.c"
  "$BUILD_TREE/bin/oshcc" -g -w "$scratch/torn.c" -o "$scratch/torn"
  has_sanitizers && { echo "a sanitizer ends this program in its own way"; return 77; }
  PATH=/nowhere expect_status 134 /usr/bin/env "$BUILD_TREE/bin/oshrun" -q --backtrace -n 1 "$scratch/torn"
  expect grep -q 'back trace' "$scratch/err"
}
# Its lock is held then, and nobody gives it back: whatever takes a block would wait for ever.
a_crash_inside_the_allocator_beside_other_threads_still_ends() {
  has_sanitizers && skip "a sanitizer's allocator is not the C library's"
  printf '#include <pthread.h>\n#include <shmem.h>\n#include <stdlib.h>\n#include <unistd.h>\nvoid* rest(void* mine) {\n  pause();\n  return mine;\n}\nint main(void) {\n  pthread_t other;\n  shmem_init();\n  pthread_create(&other, 0, rest, 0);\n  void** volatile torn = malloc(5000);\n  void* volatile behind = malloc(5000);\n  free(torn), torn[1] = (void*)0x600000000000;\n  behind = malloc(9000);\n  shmem_finalize();\n}\n' >"$scratch/torn.c"
  "$BUILD_TREE/bin/oshcc" -g -w "$scratch/torn.c" -o "$scratch/torn"
  expect_status 139 oshrun -n 2 "$scratch/torn"; expect grep -q 'PE [01] on .*: signal 11 at address 0x60000000001[0-9]' "$scratch/err"
}
a_crash_ends_also_where_ends_of_children_are_ignored() {
  is_instrumented && skip "a sanitizer tells a crash in its own way"
  printf '#include <shmem.h>\n#include <signal.h>\nint* volatile nowhere;\nint main(void) {\n  signal(SIGCHLD, SIG_IGN);\n  shmem_init();\n  *nowhere = 1;\n}\n' >"$scratch/wrong.c"
  "$BUILD_TREE/bin/oshcc" -g "$scratch/wrong.c" -o "$scratch/wrong"
  expect_status 139 oshrun -n 1 "$scratch/wrong"; expect [ "$(grep -c ': signal 11 at address' "$scratch/err")" = 1 ]
}
# The addresses to return to are gone: what walks the stack meets one that no program can have.
a_stack_that_is_overwritten_still_shows_the_function() {
  has_sanitizers && skip "a sanitizer tells a crash in its own way"
  printf '#include <shmem.h>\n#include <string.h>\nvoid* (*volatile fill)(void*, int, size_t) = memset;\n__attribute__((noinline)) void go_wrong(void) {\n  volatile long room[2];\n  fill((void*)room, 65, 320);\n}\nint main(void) {\n  shmem_init();\n  go_wrong();\n}\n' >"$scratch/wrong.c"
  "$BUILD_TREE/bin/oshcc" -g -O0 -fstack-protector-all "$scratch/wrong.c" -o "$scratch/wrong"
  mistakes_may_happen
  PATH=/nowhere expect_status 134 /usr/bin/env "$BUILD_TREE/bin/oshrun" -q --backtrace -n 1 "$scratch/wrong"
  expect grep -q 'signal 6.*back trace' "$scratch/err"; expect grep -q 'go_wrong\|/wrong(' "$scratch/err"
  "$BUILD_TREE/bin/oshcc" -g -O0 -fno-stack-protector "$scratch/wrong.c" -o "$scratch/wrong"
  expect_status 139 oshrun -q -n 1 "$scratch/wrong"; expect grep -q '^atrium: PE 0 on .*: signal 11' "$scratch/err"
}
threads_that_fail_together_are_told_of_once() {
  has_sanitizers && skip "a sanitizer tells a crash in its own way"
  printf '#include <pthread.h>\n#include <shmem.h>\nint* volatile nowhere;\npthread_barrier_t together;\nvoid* go_wrong(void* mine) {\n  pthread_barrier_wait(&together);\n  *nowhere = 1;\n  return mine;\n}\nint main(void) {\n  pthread_t others[8];\n  shmem_init();\n  pthread_barrier_init(&together, 0, 8);\n  for (int i = 0; i < 8; i++) pthread_create(others + i, 0, go_wrong, 0);\n  pthread_join(others[0], 0);\n}\n' >"$scratch/wrong.c"
  "$BUILD_TREE/bin/oshcc" -g -O0 -pthread "$scratch/wrong.c" -o "$scratch/wrong"
  mistakes_may_happen
  for _ in 1 2 3 4 5; do
    expect_status 139 oshrun -q -n 1 "$scratch/wrong"
    expect [ "$(grep -c '^atrium: PE 0 on .*: signal 11' "$scratch/err")" = 1 ]
    PATH=/nowhere expect_status 139 /usr/bin/env "$BUILD_TREE/bin/oshrun" -q --backtrace -n 1 "$scratch/wrong"
    expect [ "$(grep -c 'for variables' "$scratch/err")" = 1 ]
  done
}
# crash_is_placed PLACE FLAG PROGRAM: the one line that is said without --backtrace.
function crash_is_placed {
  has_sanitizers && skip "a sanitizer tells a crash in its own way"
  needs_lines
  printf '%b' "$3" >"$scratch/wrong.c"
  "$BUILD_TREE/bin/oshcc" -g "$2" -pthread "$scratch/wrong.c" -o "$scratch/wrong"
  mistakes_may_happen
  expect_status 139 oshrun -n 1 "$scratch/wrong"
  expect grep -q "^atrium: PE 0 on .*: signal 11 at address .*, at $1\$" "$scratch/err"
}
without_the_flag_one_line_says_where_it_was() {
  crash_is_placed 'wrong.c:4 in go_wrong' -O0 '#include <shmem.h>\nint* volatile nowhere;\nvoid go_wrong(void) {\n  *nowhere = 1;\n}\nint main(void) {\n  shmem_init();\n  go_wrong();\n}\n'
  expect grep -q 'was ended by signal 11' "$scratch/err"
}
# Under the number of the process /proc has nothing then.
a_crash_behind_the_end_of_the_main_thread_has_its_line() {
  crash_is_placed 'wrong.c:7 in go_wrong' -O0 '#include <pthread.h>\n#include <shmem.h>\nint* volatile nowhere;\npthread_t first;\nvoid* go_wrong(void* mine) {\n  pthread_join(first, 0);\n  *nowhere = 1;\n  return mine;\n}\nint main(void) {\n  pthread_t other;\n  shmem_init();\n  first = pthread_self();\n  pthread_create(&other, 0, go_wrong, 0);\n  pthread_exit(0);\n}\n'
}
# There is no code from which the stack could be walked: the place is that of the call.
a_call_of_a_null_pointer_says_where_it_was() {
  crash_is_placed 'wrong.c:4 in go_wrong' -O2 '#include <shmem.h>\nvoid (*volatile nowhere)(void);\nvoid go_wrong(void) {\n  nowhere();\n  nowhere = go_wrong;\n}\nint main(void) {\n  shmem_init();\n  go_wrong();\n}\n'
}
a_static_program_has_its_line_from_addr2line() {
  has_sanitizers && skip "a sanitizer tells a crash in its own way"
  command -v addr2line >/dev/null || skip "addr2line is not installed"
  printf '#include <shmem.h>\nint* volatile nowhere;\nvoid go_wrong(void) {\n  *nowhere = 1;\n}\nint main(void) {\n  shmem_init();\n  go_wrong();\n}\n' >"$scratch/wrong.c"
  "$BUILD_TREE/bin/oshcc" -g -O0 -static "$scratch/wrong.c" -o "$scratch/wrong" 2>"$scratch/linked" || skip "no static link here"
  mistakes_may_happen
  expect_status 139 oshrun -q -n 1 "$scratch/wrong"; expect grep -q ': signal 11 at address .*, at wrong.c:4 in go_wrong$' "$scratch/err"
  mkdir "$scratch/tools"; ln -s "$(command -v addr2line)" "$scratch/tools"
  PATH=$scratch/tools expect_status 139 /usr/bin/env "$BUILD_TREE/bin/oshrun" -q --backtrace -n 1 "$scratch/wrong"
  expect grep -q '#0 *go_wrong at .*wrong.c:4' "$scratch/err"; expect grep -q '#1 *main at .*wrong.c:8' "$scratch/err"
  PATH=/nowhere expect_status 139 /usr/bin/env "$BUILD_TREE/bin/oshrun" -q --backtrace -n 1 "$scratch/wrong"
  expect grep -q 'try: .*addr2line' "$scratch/err"
}
# A library of that name which has nothing in it; addr2line is installed wherever a compiler is.
without_libdw_addr2line_knows_the_lines() {
  has_sanitizers && skip "a sanitizer tells a crash in its own way"
  command -v addr2line >/dev/null || skip "addr2line is not installed"
  mkdir "$scratch/nothing" "$scratch/tools"; ln -s "$(command -v addr2line)" "$scratch/tools"
  echo 'int nothing;' | gcc -x c -shared - -o "$scratch/nothing/libdw.so.1"
  printf '#include <shmem.h>\nint* volatile nowhere;\nstatic long table[4];\nint main(int count, char** words) {\n  shmem_init();\n  long local = 1;\n  if (count == 1) *nowhere = 1;\n  if (count == 2) shmem_long_p(&local, 1, (shmem_my_pe() + 1) %% 2);\n  if (shmem_my_pe() == 0) shmem_long_wait_until(table + 2, SHMEM_CMP_NE, 0);\n  shmem_finalize();\n}\n' >"$scratch/wrong.c"
  "$BUILD_TREE/bin/oshcc" -g -O2 "$scratch/wrong.c" -o "$scratch/wrong"
  mistakes_may_happen; export LD_LIBRARY_PATH=$scratch/nothing
  expect_status 139 oshrun -q -n 2 "$scratch/wrong"; expect grep -q ': signal 11 at address .*, at wrong.c:7 in main$' "$scratch/err"
  PATH=$scratch/tools expect_status 139 /usr/bin/env "$BUILD_TREE/bin/oshrun" -q --backtrace -n 2 "$scratch/wrong"
  expect grep -q '#0 *main at .*wrong.c:7' "$scratch/err"
  expect_status 1 oshrun -q -n 2 "$scratch/wrong" 1; expect grep -q 'while: *shmem_long_p, called from wrong.c:8 in main' "$scratch/err"
  expect_status 35 oshrun -q --check=deadlock -n 2 "$scratch/wrong" 1 2
  expect grep -q 'waits in shmem_long_wait_until (wrong.c:9 in main)' "$scratch/err"
  expect grep -q 'for `table + 16 bytes` of its own' "$scratch/err"
}
without_the_flag_nothing_is_traced() { expect_status 139 oshrun -n 2 "$VICTIM" segv barrier; expect [ "$(grep -c 'back trace' "$scratch/err")" = 0 ]; }
a_signal_that_was_sent_has_a_sender_and_no_address() {
  has_sanitizers && skip "a sanitizer tells a crash in its own way"
  start_oshrun -n 1 --backtrace "$VICTIM" hang barrier >"$scratch/out" 2>"$scratch/err"; is_ready() { grep -qx ready "$scratch/out"; }; expect_soon is_ready
  pkill -SEGV -P "$launcher" -f "$VICTIM"; wait "$launcher"; expect [ $? = 139 ]
  expect grep -q 'signal 11, sent by process [0-9]*; back trace' "$scratch/err"
}
