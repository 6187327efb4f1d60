# What PEs print, on its way out.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317  # PEs expand their own variables; cases are called by name

lines_stay_whole() {
  # Each PE writes 50 lines of 5000 equal letters in many small pieces.
  expect_status 0 oshrun -n 4 awk 'BEGIN { c = substr("abcd", ENVIRON["ATRIUM_JOB_PE"] + 1, 1)
    for (i = 0; i < 50; i++) { for (j = 0; j < 50; j++) { for (k = 0; k < 100; k++) printf c; fflush() } print "" } }'
  expect [ "$(wc -l <"$scratch/out")" = 200 ]
  expect [ "$(grep -cE '^(a{5000}|b{5000}|c{5000}|d{5000})$' "$scratch/out")" = 200 ]
}
both_streams_stay_whole_in_one_file() {
  oshrun -n 4 sh -c 'for i in $(seq 300); do echo "out $ATRIUM_JOB_PE $i end"; echo "err $ATRIUM_JOB_PE $i end" >&2; done' >"$scratch/both" 2>&1
  expect [ "$(grep -cE '^(out|err) [0-3] [0-9]+ end$' "$scratch/both")" = 2400 ]
  expect [ "$(wc -l <"$scratch/both")" = 2400 ]
}
the_streams_stay_apart() {
  expect_status 0 oshrun -n 3 sh -c 'echo o; echo e >&2'
  expect [ "$(sort -u "$scratch/out")" = o ]; expect [ "$(sort -u "$scratch/err")" = e ]
}
any_bytes_come_through() {
  head -c 3000000 /dev/urandom >"$scratch/bytes"
  oshrun -n 1 cat "$scratch/bytes" >"$scratch/copy"; expect cmp "$scratch/bytes" "$scratch/copy"
  oshrun -n 1 cat "$scratch/bytes" | cat >"$scratch/copy"; expect cmp "$scratch/bytes" "$scratch/copy"
}
a_last_line_without_an_end_comes_through() { expect_status 0 oshrun -n 1 printf 'a\nb'; expect [ "$(od -An -c "$scratch/out" | tr -d ' ')" = 'a\nb' ]; }
a_last_line_of_a_pe_that_fails_comes_through() {
  expect_status 3 oshrun -n 1 sh -c 'printf "a\nb"; exit 3'; expect [ "$(od -An -c "$scratch/out" | tr -d ' ')" = 'a\nb' ]
}
a_file_that_must_not_grow_is_not_taken_for_success() {
  (ulimit -f 8; oshrun -n 1 seq 100000 >"$scratch/out" 2>/dev/null); expect [ $? = 1 ]
}
unfinished_lines_do_not_break_others() {
  expect_status 0 oshrun -n 3 sh -c 'printf tail; test $ATRIUM_JOB_PE = 0 || { sleep 0.2; echo; echo line; }'
  expect [ "$(grep -cx line "$scratch/out")" = 2 ]; expect [ "$(grep -cx tail "$scratch/out")" = 3 ]
}
a_very_long_line_comes_through() {
  oshrun -n 2 sh -c 'head -c 20000000 /dev/zero | tr "\0" $ATRIUM_JOB_PE; echo' >"$scratch/out"
  expect [ "$(wc -l <"$scratch/out")" = 2 ]; expect [ "$(tr -d '01' <"$scratch/out" | wc -c)" = 2 ]
  expect [ "$(head -n 1 "$scratch/out" | fold -w 1000000 | sort -u | wc -l)" = 1 ]
}
a_slow_reader_loses_nothing() {
  oshrun -n 3 seq 200000 2>"$scratch/err" | { sleep 1; cat; } >"$scratch/out"
  expect [ "$(wc -l <"$scratch/out")" = 600000 ]; expect [ "$(sort -n "$scratch/out" | uniq -c | awk '$1 != 3' | wc -l)" = 0 ]
}
a_slow_reader_slows_the_pes_down() {
  # 120 MB that nobody reads for two seconds: the PEs must wait with them, not the launcher keep them.
  mkfifo "$scratch/pipe"
  { sleep 2; grep VmHWM "/proc/$(cat "$scratch/pid")/status" >"$scratch/peak"; cat; } <"$scratch/pipe" | wc -l >"$scratch/lines" &
  start_oshrun -n 2 seq 8000000 >"$scratch/pipe"
  echo "$launcher" >"$scratch/pid"; wait
  expect [ "$(cat "$scratch/lines")" = 16000000 ]
  expect [ "$(awk '{ print $2 }' "$scratch/peak")" -lt 32768 ]
}
a_reader_that_leaves_ends_the_job_quietly() {
  { oshrun -n 2 yes 2>"$scratch/err"; echo $? >"$scratch/status"; } | head -n 1 >"$scratch/out"
  expect [ "$(cat "$scratch/out")" = y ]; expect [ ! -s "$scratch/err" ]; expect [ "$(cat "$scratch/status")" = 141 ]
}
a_reader_that_has_left_does_not_disturb_silent_pes() {
  { oshrun -n 2 sh -c 'test $ATRIUM_JOB_PE = 1 || echo x; sleep 0.3; touch $0/$ATRIUM_JOB_PE' "$scratch" 2>"$scratch/err"; echo $? >"$scratch/status"; } | true
  expect [ -e "$scratch/0" ] && expect [ -e "$scratch/1" ]
}
a_full_disk_is_not_taken_for_success() {
  [ -w /dev/full ] || skip "there is no /dev/full"
  oshrun -n 2 sh -c 'echo x' >/dev/full 2>"$scratch/err"; expect [ $? = 1 ]; expect grep -q 'No space' "$scratch/err"
  oshrun -n 2 yes >/dev/full 2>"$scratch/err"; expect [ $? = 1 ]; expect grep -q 'some output is lost' "$scratch/err"
}
a_closed_standard_output_is_not_taken_for_success() {
  oshrun_alone -n 2 sh -c 'echo x; echo e >&2' >&- 2>"$scratch/err"; expect [ $? = 1 ]
  expect grep -q 'Bad file descriptor' "$scratch/err"; expect grep -q 'try: */dev/null' <(tr -d '>' <"$scratch/err")
  oshrun_alone -n 2 sh -c 'echo x' >&- 2>&-; expect [ $? = 1 ]
}
what_a_tool_cannot_print_is_not_taken_for_success() {
  [ -w /dev/full ] || skip "there is no /dev/full"
  local command
  for command in 'oshrun --help' 'oshrun --version' atrium-info 'atrium-info --variables' 'atrium-info --help'; do
    # shellcheck disable=SC2086  # words
    (cd "$BUILD_TREE/bin" && ./$command >/dev/full 2>"$scratch/err"); expect [ $? = 1 ]; expect grep -q 'No space left' "$scratch/err"
  done
}
lines_are_tagged_when_asked() {
  expect_status 0 oshrun -l -n 2 sh -c 'echo a; echo b; echo e >&2; printf tail'
  expect [ "$(sort "$scratch/out" | tr '\n' '|')" = '[0] a|[0] b|[0] tail|[1] a|[1] b|[1] tail|' ]
  expect [ "$(sort "$scratch/err" | tr '\n' '|')" = '[0] e|[1] e|' ]
}
a_terminal_sees_a_question_before_the_answer() {
  need_terminal
  { for _ in $(seq 50); do grep -q 'name?' "$scratch/seen" 2>/dev/null && break; sleep 0.1; done; echo Ada; sleep 0.5; } |
    TERM=dumb SHELL=/bin/sh timeout 30 script -qefc "exec $BUILD_TREE/bin/oshrun -q -n 2 sh -c 'test \$ATRIUM_JOB_PE = 1 || { printf \"name? \"; read a; echo \"hello \$a\"; }'" "$scratch/seen" >/dev/null
  expect grep -q 'hello Ada' "$scratch/seen"
}
# PE 1 ends the line that PE 0 has begun: what follows is a line of its own.
the_rest_of_an_interrupted_line_is_tagged() {
  need_terminal
  cat >"$scratch/lines" <<'END'
me=$ATRIUM_JOB_PE; seen() { until grep -q "$1" "$0.seen"; do sleep 0.05; done; }
if [ $me = 0 ]; then printf 'step 1 ... '; seen other; echo end; else seen step; echo other; fi
END
  : >"$scratch/lines.seen"
  TERM=dumb SHELL=/bin/sh timeout 60 script -qefc "exec $BUILD_TREE/bin/oshrun -q -l -n 2 sh $scratch/lines" "$scratch/lines.seen" </dev/null >/dev/null
  expect grep -q '^\[0\] step 1 ... ' "$scratch/lines.seen"; expect grep -q '^\[1\] other' "$scratch/lines.seen"; expect grep -q '^\[0\] end' "$scratch/lines.seen"
}
the_flags_of_a_shared_descriptor_stay_as_they_are() {
  { oshrun -n 1 echo x; grep flags /proc/self/fdinfo/1 >&2; } 2>"$scratch/err" | cat >/dev/null
  expect [ $((0$(awk '{print $2}' "$scratch/err") & 04000)) = 0 ]
}
