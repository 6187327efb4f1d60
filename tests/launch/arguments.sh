# What oshrun makes of its command line.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317  # PEs expand their own variables; cases are called by name

function one_line { [ "$(wc -l <"$scratch/err")" = 1 ] && [ ! -s "$scratch/out" ]; }

no_program_is_one_line_and_status_2() { expect_status 2 oshrun; expect one_line; expect_status 2 oshrun -n 4; expect one_line; }
a_program_that_trace_took_for_its_file_is_told() {
  expect_status 2 oshrun -n 2 --trace "$SEAT"; expect one_line; expect grep -q -- "--trace took '$SEAT' as its file; try --trace=run.json $SEAT" "$scratch/err"
}
a_missing_program_is_one_line_and_status_127() {
  for program in ./no-such-program no-such-program /no/such/program ""; do
    expect_status 127 oshrun -n 2 "$program"; expect one_line
  done
}
a_program_that_is_not_executable_is_one_line_and_status_126() {
  echo 'int main;' >"$scratch/source.c"
  for program in "$scratch/source.c" "$scratch" /etc/passwd; do
    expect_status 126 oshrun -n 2 "$program"; expect one_line
  done
  expect_status 126 oshrun -n 2 "$scratch"; expect grep -q 'Is a directory; try a program in it' "$scratch/err"
}
a_program_where_none_may_be_executed_is_told_so() {
  # shellcheck disable=SC2317
  unshare -m mount -t tmpfs none /mnt 2>/dev/null || skip "no mount namespaces here"
  expect_status 126 unshare -m bash -c 'mount -t tmpfs -o noexec none /mnt; cp "$(type -P true)" /mnt/program; exec "$0" -n 2 /mnt/program' "$BUILD_TREE/bin/oshrun"
  expect one_line; expect grep -q 'if its file system is mounted noexec' "$scratch/err"
}
a_bad_number_of_pes_is_one_line_and_status_2() {
  for n in 0 x -1 2x "" 1.5 99999999999; do expect_status 2 oshrun -n "$n" touch "$scratch/ran"; expect one_line; done
  expect [ ! -e "$scratch/ran" ]
}
more_pes_than_the_machine_can_have_are_refused_at_once() {
  for n in 2147483647 300000000 5000000 $((4096 * $(nproc) + 1)); do
    expect_status 1 bash -c 'ulimit -t 5; exec "$@"' - "$BUILD_TREE/bin/oshrun" -n $n touch "$scratch/ran"; expect one_line
    expect grep -q "cannot start $n PEs: at most [0-9]* are possible here" "$scratch/err"
  done
  expect [ ! -e "$scratch/ran" ]
}
a_timeout_that_nobody_lives_to_see_is_none() {
  for seconds in 1e10 1e300 9223372037; do expect_status 0 oshrun --timeout $seconds -n 2 sleep 0.2; done
  for seconds in 0 -1 nan inf x ''; do expect_status 2 oshrun --timeout "$seconds" -n 2 touch "$scratch/ran"; expect one_line; done
}
a_word_of_a_host_file_that_means_nothing_is_told() {
  printf '%s\n' "localhost slot=2" "localhost slots=2 max_slots=4" >"$scratch/hosts"
  expect_status 0 env -u ATRIUM_QUIET "$BUILD_TREE/bin/oshrun" --oversubscribe --hostfile "$scratch/hosts" -n 2 true
  expect [ "$(grep -c "note: 'slot=2' behind host localhost in the host file has no effect" "$scratch/err")" = 1 ]
  expect [ "$(wc -l <"$scratch/err")" = 1 ]
}
a_host_file_that_cannot_be_read_is_refused() { expect_status 2 oshrun --hostfile "$scratch/none" -n 1 true; expect one_line; expect grep -q 'cannot read the host file' "$scratch/err"; }
a_name_cannot_forge_lines_of_a_report() {
  local name=$scratch/$'a\natrium: PE 1 on here: all is well\r\e[31m'
  printf '#!/bin/sh\nexit 3\n' >"$name"; chmod +x "$name"
  expect_status 3 oshrun -n 2 "$name"
  expect [ "$(grep -c '^atrium' "$scratch/err")" = 1 ]; expect grep -qF 'a\natrium: PE 1 on here: all is well\x0d\x1b[31m' "$scratch/err"
  expect_status 127 oshrun -n 2 "./no"$'\natrium: such'; expect one_line
}
an_unknown_flag_is_one_line_that_names_the_nearest() {
  expect_status 2 oshrun --timout 3 true; expect one_line; expect grep -q -- '--timeout' "$scratch/err"
  expect_status 2 oshrun --oversubscibe true; expect grep -q -- '--oversubscribe' "$scratch/err"
  expect_status 2 oshrun -Z true; expect one_line
  expect_status 2 oshrun -bogus true; expect [ "$(grep -c hosts "$scratch/err")" = 0 ]
  expect_status 2 oshrun --xyzzyplugh true; expect one_line
}
a_flag_without_its_value_is_refused() { expect_status 2 oshrun -n; expect one_line; expect_status 2 oshrun --timeout; expect one_line; }
a_value_where_none_belongs_is_refused() { expect_status 2 oshrun --tag-output=3 true; expect one_line; }
atrium_info_takes_a_number_of_pes_only() {
  local wrong
  for wrong in 0 -1 3x 99999999999 ''; do expect_status 2 "$BUILD_TREE/bin/atrium-info" -n "$wrong"; expect grep -q "'$wrong' is no number of PEs" "$scratch/err"; done
  expect_status 2 "$BUILD_TREE/bin/atrium-info" -n; expect grep -q "'-n' needs a number" "$scratch/err"
  expect_status 0 "$BUILD_TREE/bin/atrium-info" -n 3; expect grep -q 'A job of 3 PEs here' "$scratch/out"
}
all_spellings_of_the_number_of_pes_work() {
  for words in "-n 3" "-np 3" "--np 3" "--ntasks 3" "--np=3" "-n=3" "-n3" "--n 3" "-N 3" "--npernode 3" "--ntasks-per-node=3" "--map-by ppr:3:node"; do
    # shellcheck disable=SC2086
    expect_status 0 oshrun $words echo PE; expect [ "$(wc -l <"$scratch/out")" = 3 ]
  done
}
what_means_pes_to_one_launcher_and_cpus_to_another_is_refused() {
  for words in "-c 3" -c3 --cpus-per-task=3; do
    # shellcheck disable=SC2086
    expect_status 2 oshrun $words true; expect one_line; expect grep -q 'try -n 3 for the number of PEs' "$scratch/err"
  done
  expect_status 2 oshrun --map-by ppr:2:socket true; expect one_line; expect grep -q 'try ppr:2:node' "$scratch/err"
  expect_status 2 oshrun --map-by ppr:x:node true; expect one_line
}
lines_are_labelled_by_the_names_of_other_launchers() {
  for flag in -l --label --tag-output; do expect_status 0 oshrun $flag -n 1 echo x; expect grep -qx '\[0\] x' "$scratch/out"; done
}
without_a_number_there_is_a_pe_for_each_usable_cpu() {
  expect_status 0 oshrun echo PE; expect [ "$(wc -l <"$scratch/out")" = "$(nproc)" ]
  expect_status 0 taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" "$BUILD_TREE/bin/oshrun" echo PE
  expect [ "$(wc -l <"$scratch/out")" = 1 ]
}
two_dashes_end_the_flags() { expect_status 0 oshrun -n 1 -- echo -n x; expect [ "$(cat "$scratch/out")" = x ]; }
flags_of_the_program_are_left_alone() { expect_status 0 oshrun -n 1 echo --timeout -n 7; expect grep -qx -- '--timeout -n 7' "$scratch/out"; }
flags_of_other_launchers_are_taken() {
  expect_status 0 oshrun --oversubscribe --allow-run-as-root --use-hwthread-cpus --bind-to core --map-by socket:OVERSUBSCRIBE \
    --mca btl self --host localhost:4 -H localhost -n 2 echo PE
  expect [ "$(wc -l <"$scratch/out")" = 2 ]
}
this_host_takes_no_agent() {
  printf '# mine\nlocalhost slots=2\n%s slots=2\n' "$(uname -n)" >"$scratch/hosts"
  expect_status 0 oshrun --hostfile "$scratch/hosts" --agent /no/agent echo PE; expect [ "$(wc -l <"$scratch/out")" = 4 ]
}
another_host_that_cannot_be_reached_is_named() {
  expect_status 1 oshrun --host elsewhere.invalid -n 2 true; expect grep -q 'host elsewhere.invalid' "$scratch/err"
  expect_status 1 oshrun --host elsewhere.invalid --agent /no/agent -n 2 true; expect grep -q "cannot find the program '/no/agent'" "$scratch/err"
}
two_programs_in_one_job_are_refused() { expect_status 2 oshrun -n 1 echo a : -n 1 echo b; expect one_line; }
a_pe_that_does_not_exist_is_refused() {
  expect_status 2 oshrun -n 2 --stdin 2 true; expect one_line
  expect_status 2 oshrun -n 2 --wrap 5:env true; expect one_line
}
a_tool_that_is_not_installed_is_named() { expect_status 127 oshrun -n 2 --wrap 0:no-such-tool true; expect grep -q no-such-tool "$scratch/err"; expect one_line; }
a_bad_timeout_is_refused() { for t in x 0 -3 nan inf; do expect_status 2 oshrun --timeout $t true; expect one_line; done; }
a_missing_directory_is_refused() { expect_status 2 oshrun --wdir /no/such/directory true; expect one_line; expect grep -q '; try --wdir DIRECTORY with one that exists here' "$scratch/err"; }
words_of_a_mapping_are_all_named() { expect_status 2 oshrun --map-by bogus true; expect one_line; for word in slot core hwthread node numa package; do expect grep -qw $word "$scratch/err"; done; }
help_and_version_go_to_standard_output() {
  expect_status 0 oshrun --help; expect [ ! -s "$scratch/err" ]; expect grep -q 'usage: oshrun' "$scratch/out"
  expect_status 0 oshrun --version; expect grep -q 'OpenSHMEM 1.6' "$scratch/out"
}
help_and_manual_know_every_flag() {
  local name manual=$SOURCE_TREE/docs/man/oshrun.1
  expect_status 0 oshrun --help
  sed -n 's/^    {"\([a-z -]*\)".*/\1/p' "$SOURCE_TREE/launch/cli/flags.cpp" | tr ' ' '\n' >"$scratch/flags"; expect [ -s "$scratch/flags" ]
  while read -r name; do
    [ ${#name} -gt 2 ] || continue
    grep -q -- "-$name" "$scratch/out" || complain "--$name is not in the help"
    sed 's/\\//g' "$manual" | grep -q -- "-$name" || complain "--$name is not in the manual"
  done <"$scratch/flags"
}
what_is_no_host_is_refused() {
  local word
  for word in 'a\0b' '[a' '[]' '[a]x' 'a,b' 'a/b' 'a\x01' '-oProxyCommand=id' 'a;b' 'a:' ':2' 'a:0'; do
    printf -- "$word\n" >"$scratch/hosts"
    expect_status 2 oshrun --hostfile "$scratch/hosts" --agent /no/agent true; expect one_line; expect grep -q 'cannot tell a host' "$scratch/err"
    expect grep -q "line 1 of $scratch/hosts" "$scratch/err"
  done
}
more_nodes_than_pes_are_told_in_a_note() {
  local launcher=$BUILD_TREE/bin/oshrun
  expect_status 0 env -u ATRIUM_QUIET "$launcher" --oversubscribe -n 2 --nodes 3 true
  expect grep -q "note: '3' asks for 3 nodes, and 2 PEs are enough for 2" "$scratch/err"
  expect_status 0 env -u ATRIUM_QUIET "$launcher" --oversubscribe -n 2 --nodes 2 true; expect [ ! -s "$scratch/err" ]
  expect_status 0 oshrun -n 2 --nodes 3 true; expect [ ! -s "$scratch/err" ]
}
sizes_of_nodes_say_how_many_pes_there_are() {
  expect_status 0 oshrun --nodes 1+3 sh -c 'echo of $ATRIUM_JOB_PES'; expect [ "$(grep -cx 'of 4' "$scratch/out")" = 4 ]
  expect_status 0 oshrun --nodes 3 -N 2 sh -c 'echo of $ATRIUM_JOB_PES'; expect [ "$(grep -cx 'of 6' "$scratch/out")" = 6 ]
}
more_pes_than_fit_on_this_host_are_refused() {
  for host in '' '--hosts localhost'; do
    # shellcheck disable=SC2086  # no word, or two
    expect_status 2 oshrun -N 2 -n 5 $host true; expect grep -q 'n 5 PEs do not fit on 1 host with 2 each' "$scratch/err"
  done
  expect_status 0 oshrun -N 2 -n 1 true
}
