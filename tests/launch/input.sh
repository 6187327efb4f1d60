# Who reads standard input.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317  # PEs expand their own variables; cases are called by name

pe_0_reads_standard_input() {
  printf 'a\nb\n' | oshrun -l -n 3 cat >"$scratch/out"; expect [ "$(tr '\n' '|' <"$scratch/out")" = '[0] a|[0] b|' ]
}
another_pe_reads_when_asked() { echo a | oshrun -l --stdin 2 -n 3 cat >"$scratch/out"; expect [ "$(cat "$scratch/out")" = '[2] a' ]; }
nobody_reads_when_asked() { echo a | oshrun --stdin none -n 3 cat >"$scratch/out"; expect [ ! -s "$scratch/out" ]; }
all_read_the_whole_when_asked() {
  seq 100000 >"$scratch/in"
  oshrun --stdin all -n 3 md5sum <"$scratch/in" >"$scratch/out"
  expect [ "$(sort -u "$scratch/out")" = "$(md5sum <"$scratch/in")" ]
  seq 100000 | oshrun --stdin 0,2 -n 3 md5sum >"$scratch/out"
  expect [ "$(grep -c "$(md5sum <"$scratch/in")" "$scratch/out")" = 2 ]
}
a_reader_that_ends_does_not_stop_the_others() {
  seq 1000000 | oshrun --stdin all -n 3 sh -c 'test $ATRIUM_JOB_PE = 1 || md5sum' >"$scratch/out"
  expect [ "$(grep -c "$(seq 1000000 | md5sum)" "$scratch/out")" = 2 ]
}
input_that_nobody_reads_is_left_for_the_next_command() {
  printf 'a\nb\n' | { oshrun -n 2 true; cat; } >"$scratch/out"; expect [ "$(tr '\n' '|' <"$scratch/out")" = 'a|b|' ]
}
# As in a root of nothing but a program and its libraries.
others_read_nothing_where_dev_null_is_missing() {
  unshare -rm mount -t tmpfs none /dev 2>/dev/null || skip "no mount namespaces here"
  echo a | expect_status 0 unshare -rm sh -c 'mount -t tmpfs none /dev && exec "$@"' sh "$BUILD_TREE/bin/oshrun" -q -l -n 3 cat
  expect [ "$(cat "$scratch/out")" = '[0] a' ]
}
# Nobody stops who reads a terminal that is not his session's.
a_terminal_of_no_session_is_read() {
  need python3
  python3 - "$BUILD_TREE/bin/oshrun" <<'END' || complain "a terminal without a session is not read"
import os, pty, select, subprocess, sys
ours, theirs = pty.openpty()
job = subprocess.Popen([sys.argv[1], "-q", "-n", "1", "sh", "-c", "read word && echo $word-again"], stdin=theirs,
                       stdout=subprocess.PIPE, start_new_session=True)
os.write(ours, b"word\n")
seen = select.select([job.stdout], [], [], 60)[0] and job.stdout.readline()
job.kill()
sys.exit(seen != b"word-again\n")
END
}
# The shell sends no signal to a job that runs.
a_job_brought_to_the_foreground_reads_the_terminal() {
  need_terminal
  printf '%s\n' "$BUILD_TREE/bin/oshrun -q -n 1 sh -c 'echo ready; read word && echo \$word-again' &" >"$scratch/job"
  : >"$scratch/seen"
  seen() { for _ in $(seq 100); do grep -q "$1" "$scratch/seen" && break; sleep 0.1; done; }
  { sleep 0.5; printf '. %s\n' "$scratch/job"; seen ready; printf 'fg\n'; sleep 0.5; printf 'word\n'; seen '^word-again'; printf 'exit\n'; } |
    SHELL=/bin/sh timeout 60 script -qfec 'exec bash --norc --noprofile -i' "$scratch/seen" >/dev/null
  expect grep -q '^word-again' "$scratch/seen"
}
# A PE whose pipe could not be made had what was left of oshrun's own input.
no_input_is_lost_for_want_of_open_files() {
  echo x >"$scratch/in"
  for files in {8..20}; do
    if (ulimit -n "$files"; oshrun -n 2 --stdin all cat) <"$scratch/in" >"$scratch/out" 2>"$scratch/err"; then expect [ "$(grep -cx x "$scratch/out")" = 2 ]; fi
  done
}
