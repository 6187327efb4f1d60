# A job over hosts that are all this machine, reached by an agent that only pretends, as ssh would give its words to a shell:
# tests/nodes/hosts.sh has hosts of their own.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317  # PEs expand their own variables; cases are called by name

printf '#!/bin/sh\nshift\nexec sh -c "$*"\n' >"$scratch/agent"; chmod +x "$scratch/agent"
function says { grep -q -- "$1" "$scratch/err"; }
function has_lines { [ "$(grep -cx "$1" "$scratch/out")" = "$2" ]; }
function on_hosts { oshrun --agent "$scratch/agent" --hosts a,b -n 2 "$@"; }

any_words_and_variables_come_through() {
  local words=('' ' ' "it's" '"q"' $'new\nline' $'t\t' 'ünï→' $'\xff\xfe' '$HOME' '`id`' '\' '*' -- "$(head -c 100000 /dev/zero | tr '\0' x)" '')
  printf '%s\0' "${words[@]}" | md5sum >"$scratch/wanted"
  export STRANGE=$'a b\n\'"ü $X'
  expect_status 0 oshrun_alone --agent "$scratch/agent" --hosts a,b -n 2 -x STRANGE sh -c 'test "$STRANGE" = "$0" || exit 5; printf "%s\0" "$@" | md5sum' "$STRANGE" "${words[@]}"
  expect [ "$(uniq -c "$scratch/out" | tr -d ' ')" = "2$(tr -d ' ' <"$scratch/wanted")" ]
}
a_path_to_oshrun_with_spaces_and_quotes_is_found() {
  mkdir "$scratch/it's here"; ln -s "$BUILD_TREE/bin/oshrun" "$scratch/it's here/os\"hrun"
  expect_status 0 on_hosts --remote-oshrun "$scratch/it's here/os\"hrun" echo x
}
# Standard error goes on when only the reader of standard output has gone, as on one host.
a_reader_that_leaves_takes_only_its_own_stream() {
  { on_hosts sh -c 'for i in 1 2 3; do (echo o) 2>/dev/null; sleep 0.2; done; echo e1 >&2; sleep 0.5; echo e2 >&2' 2>"$scratch/err"; echo $? >"$scratch/status"; } | head -n 1 >"$scratch/out"
  expect [ "$(cat "$scratch/status")" = 0 ]; expect [ "$(grep -c e2 "$scratch/err")" = 2 ]
}
a_reader_of_errors_that_leaves_ends_who_writes_them() {
  mkfifo "$scratch/errors"; true <"$scratch/errors" &
  on_hosts sh -c 'while echo e >&2; do sleep 0.1; done' 2>"$scratch/errors" >"$scratch/out"
  expect [ $? = 141 ]
}
few_open_files_are_enough_for_an_agent() {
  is_instrumented && skip "a sanitizer opens files, too"
  printf '#!/bin/sh\nulimit -n 18\nshift\nexec sh -c "$*"\n' >"$scratch/agent"
  expect_status 0 on_hosts echo x
}
an_agent_with_too_few_says_so_itself() {
  is_instrumented && skip "a sanitizer opens files, too"
  printf '#!/bin/sh\nulimit -n 6\nshift\nexec sh -c "$*"\n' >"$scratch/agent"
  expect_status 1 on_hosts echo x; expect says 'because: .*: cannot prepare the job: .*: Too many open files'
}
# Such as the title of a terminal, which start-up files of shells set.
what_a_login_prints_without_a_line_end_does_no_harm() {
  printf '#!/bin/sh\nprintf "\\033]0;%%s\\007" "$1"\nshift\nexec sh -c "$*"\n' >"$scratch/agent"
  expect_status 0 on_hosts echo x; expect has_lines x 2
}
hosts_are_reached_from_where_proc_is_missing() {
  has_sanitizers && skip "a sanitizer wants /proc"
  local without_proc=(unshare -rm sh -c 'mount -t tmpfs none /proc && exec "$@"' sh)
  "${without_proc[@]}" true 2>/dev/null || skip "no mounts of one's own here"
  expect_status 0 timeout -k 5 "$patience" "${without_proc[@]}" "$BUILD_TREE/bin/oshrun" -q --agent "$scratch/agent" --hosts a,b -n 2 echo x
  expect has_lines x 2
}
# Some services start programs so.
an_agent_that_fails_is_waited_for_where_children_are_ignored() {
  printf '#!/bin/sh\nexit 7\n' >"$scratch/agent"
  expect_status 1 timeout -k 5 "$patience" env --ignore-signal=CHLD "$BUILD_TREE/bin/oshrun" --agent "$scratch/agent" --hosts a,b -n 2 true
  expect says 'because: .*agent ended with status 7'
}
a_directory_that_is_gone_is_not_taken_for_another() {
  mkdir "$scratch/gone"; cd "$scratch/gone" || return 1; rmdir "$scratch/gone"
  expect_status 2 on_hosts pwd; expect says 'cannot tell the other hosts where'
}
a_limit_of_silence_that_is_no_number_is_refused() {
  ATRIUM_HOST_TIMEOUT=often expect_status 2 on_hosts true; expect says 'ATRIUM_HOST_TIMEOUT=often'
}
a_limit_of_silence_of_one_second_loses_no_host() { ATRIUM_HOST_TIMEOUT=1 expect_status 0 on_hosts sleep 4; }
# With the limit on open files that many systems have: nobody starts more than 32 agents, and each host has one.
a_thousand_hosts_are_reached_along_a_tree() {
  local hosts=1000
  ! is_instrumented || hosts=100
  printf '#!/bin/sh\n[ "$3" != --be-agent ] || echo "$PPID" >>"$STARTED_BY"\nshift\nexec "$@"\n' >"$scratch/agent"
  export STARTED_BY=$scratch/started_by
  (ulimit -n 1024; expect_status 0 oshrun --agent "$scratch/agent" --hosts "$(seq -f 'pretended%g:1' -s , $hosts)" -n $hosts sh -c 'echo "$ATRIUM_JOB_PE"') || exit 1
  expect [ "$(sort -nu "$scratch/out" | wc -l) $(wc -l <"$scratch/out")" = "$hosts $hosts" ]; expect [ ! -s "$scratch/err" ]
  expect [ "$(wc -l <"$STARTED_BY")" = $hosts ]; expect [ "$(sort "$STARTED_BY" | uniq -c | sort -n | tail -n 1 | awk '{ print $1 }')" = 32 ]
}
# Of five in a row, each reached by the one before it. What the others know comes within the time that oshrun waits.
hosts_above_a_stopped_agent_say_where_their_pes_are() {
  printf '#!/bin/sh\n[ "$3" != --be-agent ] || echo $$ >"$AGENT_OF.$1"\nshift\nexec "$@"\n' >"$scratch/agent"
  export AGENT_OF=$scratch/agent_of ATRIUM_HOST_TIMEOUT=100
  start_oshrun --agent "$scratch/agent" --tree-width 1 --hosts a,b,c,d,e -n 5 "$SEAT" register init print=ready hang >"$scratch/out" 2>"$scratch/err"
  expect_soon has_lines ready 5; kill -STOP "$(cat "$AGENT_OF.d")"; kill -USR1 "$launcher"; expect_soon says 'where the PEs are'
  for pe in '0 on a' '1 on b' '2 on c'; do expect says "^  PE $pe: in no long wait"; done
  expect says '^  PEs 3-4: no answer yet from where they run$'
  kill -CONT "$(cat "$AGENT_OF.d")"; kill -USR1 "$launcher"; expect_soon says '^  PE 4 on e: in no long wait'
  kill -TERM "$launcher"; wait "$launcher"; expect [ $? = 143 ]
}
the_width_of_the_tree_is_a_number_of_hosts() {
  local width
  for width in 0 -1 x 1.5; do expect_status 2 on_hosts --tree-width "$width" true; expect says '--tree-width needs a number of hosts'; done
}
# How many there are was not said, so the hosts had to be asked.
pes_that_do_not_exist_are_refused() {
  for named in '--stdin 9' '--gdb=7'; do
    # shellcheck disable=SC2086 # these are words
    expect_status 2 oshrun --agent "$scratch/agent" --hosts a:1,b:1 $named true; expect says "there is no PE ${named##*[ =]}"
  done
}
