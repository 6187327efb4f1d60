# Jobs of oshrun over hosts that are made of namespaces, reached by an agent that stands for ssh.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_TREE/tests/nodes/on_hosts.sh"
function has_lines { [ "$(grep -cx -- "$1" "$scratch/out")" = "$2" ]; }
# Processes of this namespace of PIDs, which all hosts share, whose command line has the word.
function count_of { pgrep -fc -- "$1"; }
function none_of { ! pgrep -f -- "$1" >/dev/null; }

pes_of_several_hosts_are_one_job() {
  on_hosts 3 "${FUNCNAME[0]}"
  expect_status 0 across -n 6 "$PLACEMENT" 0 0 1 1 2 2
  expect_status 0 across -n 5 "$OPERATIONS"
  expect_status 0 across -n 2 "$PLACEMENT" 0 1
  expect_status 0 across -N 2 --map-by node "$PLACEMENT" 0 1 2 0 1 2
}
the_network_that_all_hosts_share_is_taken() {
  on_hosts 3 "${FUNCNAME[0]}"
  give_own_networks
  expect_status 0 across -n 6 "$OPERATIONS"
}
slots_say_how_many_pes_each_host_gets() {
  on_hosts 2 "${FUNCNAME[0]}"
  expect_status 0 oshrun --agent "$HOST_AGENT" --hosts "${hosts[0]}:1,${hosts[1]}:3" "$PLACEMENT" 0 1 1 1
  expect_status 0 oshrun --agent "$HOST_AGENT" --host "${hosts[0]}:1,${hosts[1]}:3" -n 2 "$PLACEMENT" 0 1
  printf '# ours\n%s slots=2 max_slots=4\n\n%s:1\n' "${hosts[0]}" "${hosts[1]}" >"$scratch/hosts"
  ATRIUM_AGENT=$HOST_AGENT expect_status 0 oshrun --hostfile "$scratch/hosts" "$PLACEMENT" 0 0 1
  expect_status 2 oshrun --hosts "${hosts[0]},${hosts[1]}" --agent "$HOST_AGENT" -n 5 -N 2 true; expect grep -q 'do not fit' "$scratch/err"
}
streams_come_and_go_as_on_one_host() {
  on_hosts 2 "${FUNCNAME[0]}"
  expect_status 0 across -n 2 -l sh -c 'echo "out of $ATRIUM_JOB_PE"; echo "err of $ATRIUM_JOB_PE" >&2; printf tail'
  for pe in 0 1; do
    expect grep -qx "\[$pe@${hosts[pe]}\] out of $pe" "$scratch/out"; expect grep -qx "\[$pe@${hosts[pe]}\] err of $pe" "$scratch/err"
    expect grep -qx "\[$pe@${hosts[pe]}\] tail" "$scratch/out"
  done
  seq 300000 >"$scratch/numbers"
  expect_status 0 across -n 2 --stdin 1 sh -c 'wc -c' <"$scratch/numbers"; expect has_lines 0 1; expect has_lines "$(wc -c <"$scratch/numbers")" 1
  # Through a pipe, to both, one of which reads a little only.
  cat "$scratch/numbers" | expect_status 0 across -n 2 --stdin all sh -c 'if [ "$ATRIUM_JOB_PE" = 0 ]; then head -c 2 >"$0"; else cat; fi' "$scratch/some"
  expect cmp "$scratch/numbers" "$scratch/out"
  # More than any queue holds, with a slow reader.
  expect [ "$(across -n 2 sh -c 'seq 1000000' | { sleep 1; sort -n | uniq -c | awk '$1 != 2' | wc -l; })" = 0 ]
  # A reader that goes ends the writers.
  timeout 30 bash -c '"$@" | head -n 1' - "$BUILD_TREE/bin/oshrun" -q --hosts "$HOST_LIST" --agent "$HOST_AGENT" -n 2 yes endless >"$scratch/out"
  expect [ "$(cat "$scratch/out")" = endless ]; expect_soon none_of "yes endless"
}
hosts_get_directory_and_variables() {
  on_hosts 2 "${FUNCNAME[0]}"
  mkdir "$scratch/there"
  export ATRIUM_WAIT_NOTE=77 SHMEM_SYMMETRIC_SIZE=1M MINE='a b' YOURS=unseen
  expect_status 0 across -n 2 --wdir "$scratch/there" -x MINE -x OTHER=o sh -c 'echo "$PWD $ATRIUM_WAIT_NOTE $SHMEM_SYMMETRIC_SIZE $MINE $OTHER"'
  expect has_lines "$scratch/there 77 1M a b o" 2
  (cd "$scratch/there" || exit 1; expect_status 0 across -n 2 pwd; expect has_lines "$scratch/there" 2)
}
secrets_are_on_no_command_line() {
  on_hosts 2 "${FUNCNAME[0]}"
  expect_status 0 across -n 2 --verbose -x PASSWORD=confidential sh -c 'ps -eo args | grep -v " sh -c" | grep oshrun'
  expect grep -q be-agent "$scratch/out"; expect [ "$(grep 'be-agent' "$scratch/out" | grep -c 'confidential\|ATRIUM_')" = 0 ]
}
signals_reach_the_pes_of_all_hosts() {
  on_hosts 2 "${FUNCNAME[0]}"
  for signal in TERM USR2; do
    start_across -n 4 bash -c "trap 'echo got; exit 0' $signal; echo ready; while :; do sleep 0.05; done" >"$scratch/out" 2>"$scratch/err"
    expect_soon has_lines ready 4; kill -$signal "$launcher"; wait "$launcher"; expect [ $? = 0 ]; expect has_lines got 4
  done
}
# For longer than a host may be silent.
a_job_that_is_stopped_goes_on_later() {
  on_hosts 2 "${FUNCNAME[0]}"
  export ATRIUM_HOST_TIMEOUT=2
  start_across -n 4 sh -c 'echo ready; sleep 1; sleep 1; echo done' >"$scratch/out" 2>"$scratch/err"
  expect_soon has_lines ready 4; kill -TSTP "$launcher"; sleep 4; kill -CONT "$launcher"
  wait "$launcher"; expect [ $? = 0 ]; expect has_lines 'done' 4; expect [ ! -s "$scratch/err" ]
}
usr1_tells_where_the_pes_of_all_hosts_are() {
  on_hosts 2 "${FUNCNAME[0]}"
  start_across -n 4 "$SEAT" register init print=ready hang >"$scratch/out" 2>"$scratch/err"
  expect_soon has_lines ready 4; kill -USR1 "$launcher"
  expect_soon grep -q "PEs 0-1 on ${hosts[0]}: in no long wait" "$scratch/err"; expect grep -q "PEs 2-3 on ${hosts[1]}: " "$scratch/err"
  kill -INT "$launcher"; kill -TERM "$launcher"; wait "$launcher"
  expect_status 124 across -n 2 --timeout 1 sleep 100; expect grep -q "PE 1 on ${hosts[1]}: has not called shmem_init" "$scratch/err"
}
a_pe_that_fails_ends_the_job_and_is_named_with_its_host() {
  on_hosts 2 "${FUNCNAME[0]}"
  expect_status 139 across -n 4 sh -c '[ "$ATRIUM_JOB_PE" != 3 ] || { sleep 0.3; kill -SEGV $$; }; sleep 1000'
  expect grep -q "PE 3 (pid [0-9]*) on ${hosts[1]} was ended by signal 11" "$scratch/err"
  expect_status 5 across -n 2 "$SEAT" register init 1:exit=5 hang; expect grep -q "on ${hosts[1]} ended with status 5" "$scratch/err"
  # Rules that ask what the other hosts do: all leave early; one does; one never joins.
  expect_status 0 across -n 2 "$SEAT" register init
  expect_status 1 across -n 2 "$SEAT" register init 0:exit=0 hang; expect grep -q "PE 0 .* on ${hosts[0]} has left while others are at work" "$scratch/err"
  expect_status 1 across -n 2 "$SEAT" 1:exit=0 register init hang; expect grep -q "PE 1 .* on ${hosts[1]} ended without calling shmem_init" "$scratch/err"
}
global_exit_ends_all_hosts() {
  on_hosts 2 "${FUNCNAME[0]}"
  expect_status 7 across -n 4 "$SEAT" register init 3:global_exit=7 hang
}
what_cannot_be_started_says_where_and_what_to_try() {
  on_hosts 2 "${FUNCNAME[0]}"
  expect_status 127 across -n 2 ./no-such-program; expect grep -q "cannot find the program './no-such-program' on ${hosts[0]}\|on ${hosts[1]}" "$scratch/err"
  expect_status 1 across -n 2 --wdir /no/such true; expect grep -q "'/no/such' on 10.*" "$scratch/err"; expect grep -q -- '--wdir' "$scratch/err"
  expect_status 1 across -n 2 --remote-oshrun /no/oshrun true; expect grep -q "cannot start the agent on host ${hosts[1]}" "$scratch/err"
  expect grep -q 'try: .*installing Atrium there' "$scratch/err"
  expect_status 1 oshrun --hosts "${hosts[1]}" --agent /no/agent true; expect grep -q "cannot find the program '/no/agent'" "$scratch/err"
  expect_status 1 oshrun --hosts "${hosts[1]}" --agent 'sh -c "echo.Permission.denied.>&2;exit.255" %h' true; expect grep -q "cannot start the agent" "$scratch/err"
  printf '#!/bin/sh\necho "Permission denied (publickey)." >&2; exit 255\n' >"$scratch/refuse"; chmod +x "$scratch/refuse"
  expect_status 1 oshrun --hosts "${hosts[1]}" --agent "$scratch/refuse" true
  expect grep -q "refuse ended with status 255: Permission denied (publickey)" "$scratch/err"
  printf '#!/bin/sh\necho "Welcome!"; echo "atrium-agent 9.9/1"; printf "\\050\\0\\0\\0@%%040d" 0; cat >/dev/null\n' >"$scratch/other"; chmod +x "$scratch/other"
  expect_status 1 oshrun --hosts "${hosts[1]}" --agent "$scratch/other" true
  expect grep -q "another version of Atrium" "$scratch/err"; expect grep -q "9.9/1" "$scratch/err"
  expect_status 2 oshrun --hosts 'a;b' true; expect_status 2 oshrun --hosts -oProxyCommand=x true
  expect_status 2 oshrun --hosts "$HOST_LIST" --nodes 2 true
}
function info { "$BUILD_TREE/bin/atrium-info" --hosts "$1" --agent "${2:-$HOST_AGENT} %h"; }
whether_a_job_over_hosts_runs_is_told() {
  on_hosts 3 "${FUNCNAME[0]}"
  expect_status 0 info "$HOST_LIST"; expect grep -q '^A job over these hosts runs' "$scratch/out"
  for host in "${hosts[@]}"; do expect grep -q "^  $host .* CPU" "$scratch/out"; done
  expect grep -q '^  network .*tcp' "$scratch/out"; expect [ "$(grep -c "us from ${hosts[0]} and back" "$scratch/out")" = 2 ]
}
why_no_job_over_hosts_runs_is_told() {
  on_hosts 2 "${FUNCNAME[0]}"
  expect_status 1 info "$HOST_LIST,10.255.0.9"; expect grep -q '10.255.0.9 .*cannot be used' "$scratch/out"
  expect grep -q 'cannot start the agent on host 10.255.0.9' "$scratch/out"; expect grep -q 'try: ' "$scratch/out"
  expect grep -q 'does not run: 1 of 3 cannot be used; one over the others would' "$scratch/out"; expect grep -q '^  network ' "$scratch/out"
  printf '#!/bin/sh\n[ "$1" != %s ] || { echo "atrium-agent 9.9/1"; printf "\\050\\0\\0\\0@%%040d" 0; cat >/dev/null; exit 0; }\nexec "$HOST_AGENT" "$@"\n' "${hosts[1]}" >"$scratch/other"
  chmod +x "$scratch/other"
  expect_status 1 info "$HOST_LIST" "$scratch/other"; expect grep -q 'another version of Atrium' "$scratch/out"
  ATRIUM_NET=off expect_status 1 info "$HOST_LIST"; expect grep -q 'do not reach each other' "$scratch/out"
}
# As a host whose neighbour has to be found first, or a switch that learns.
a_host_that_is_out_of_reach_for_a_moment_is_reached_later() {
  on_hosts 2 "${FUNCNAME[0]}"
  "$HOST_AGENT" "${hosts[0]}" "ip route add unreachable ${hosts[1]}"
  ATRIUM_LIBFABRIC='' start_across -n 2 "$OPERATIONS" >"$scratch/out" 2>"$scratch/err"
  expect_soon endpoints_serve 2; sleep 1; expect nothing_is_said; expect endpoints_serve 2
  "$HOST_AGENT" "${hosts[0]}" "ip route del unreachable ${hosts[1]}"
  wait "$launcher"; expect [ $? = 0 ]
}
what_keeps_nodes_apart_is_named_with_what_to_try() {
  on_hosts 2 "${FUNCNAME[0]}"
  ATRIUM_LIBFABRIC=/no/libfabric.so expect_status 1 across -n 4 "$OPERATIONS"; expect grep -q 'try: .*libfabric1' "$scratch/err"
  expect [ "$(grep -c '^atrium: PE' "$scratch/err")" = 1 ]  # once for the job, not for each node
  ATRIUM_NET=verbs expect_status 1 across -n 2 "$OPERATIONS"; expect grep -q 'try: .*atrium-info --fabric' "$scratch/err"
  expect_status 1 across -n 2 sh -c '[ "$ATRIUM_JOB_PE" = 0 ] && exec "$0" 0 1; exec "$1"' "$PLACEMENT" "$OPERATIONS"
  expect grep -q 'runs another program' "$scratch/err"
  "$HOST_AGENT" "${hosts[1]}" 'ip link set net0 down'
  expect_status 1 across -n 2 "$OPERATIONS"; expect grep -q 'ATRIUM_NET_INTERFACE' "$scratch/err"
  # As a firewall: what is sent is dropped.
  "$HOST_AGENT" "${hosts[1]}" 'ip link set net0 up && tc qdisc add dev net0 root tbf rate 8bit burst 1 limit 1'
  ATRIUM_NET_TIMEOUT=3 expect_status 1 across -n 2 "$OPERATIONS"; expect grep -q 'node [01] (host[12]) does not answer' "$scratch/err"
  expect grep -q 'try: ' "$scratch/err"
}
# Frames of either go to nobody, and oshrun hears both. The launcher, and no time limit of the PEs', ends the job: waits that
# sleep and that never do, in the middle of large data, and at the start.
a_network_that_is_cut_between_two_hosts_ends_the_job() {
  on_hosts 3 "${FUNCNAME[0]}"
  function is_told_cut { grep -Eq 'the network between 10.77.0.[23] and 10.77.0.[23] is cut' "$scratch/err" && grep -q 'try: .*ATRIUM_NET_TIMEOUT' "$scratch/err"; }
  cut 1 2; cut 2 1
  expect_status 1 across -n 6 "$OPERATIONS"; expect is_told_cut
  for way in put barrier; do
    join_again 1; join_again 2
    start_across -n 6 "$RESTLESS" $way >"$scratch/out" 2>"$scratch/err"
    sleep 2; expect [ ! -s "$scratch/err" ]; cut 1 2; cut 2 1; wait "$launcher"; expect [ $? = 1 ]; expect is_told_cut
    export ATRIUM_WAIT=yield
  done
}
# The second host's interface gets a wire of its own, whose frames are seconds under way. Who has which address is known: to ask
# would take as long.
function make_way_to_second_host_long {
  local ends
  "$HOST_AGENT" "${hosts[1]}" "ip link set net0 down name wire && ip address flush dev wire && ip link add net0 type veth peer name near &&
    for end in wire near; do ip link set \$end arp off up; done && ip address add ${hosts[1]}/24 dev net0 && ip link set net0 up"
  ends=("$(address_of_card 0)" "$(address_of_card 1)")
  "$HOST_AGENT" "${hosts[0]}" "ip neigh replace ${hosts[1]} lladdr ${ends[1]} dev net0 nud permanent"
  "$HOST_AGENT" "${hosts[1]}" "ip neigh replace ${hosts[0]} lladdr ${ends[0]} dev net0 nud permanent"
  "$HOST_AGENT" "${hosts[1]}" "exec python3 $SOURCE_TREE/tests/nodes/slow_link.py $1 wire near" >"$scratch/link" &
  expect_soon grep -q ready "$scratch/link"
}
function address_of_card { "$HOST_AGENT" "${hosts[$1]}" "cat /sys/class/net/net0/address"; }
# The first message opens a connection, which takes several round trips.
a_way_whose_round_trips_take_seconds_is_not_taken_for_a_cut() {
  need python3
  on_hosts 2 "${FUNCNAME[0]}"
  make_way_to_second_host_long 1.2
  ATRIUM_WAIT=block expect_status 0 across -N 1 -n 2 "$LONG_WAY"
  pkill -f slow_link.py
}
# Of one host: the process that has started a PE.
function agent { pgrep -nx seat | xargs ps -o ppid= | tr -d ' '; }
function start_hanging { start_across -n 2 "$SEAT" register init print=ready hang >"$scratch/out" 2>"$scratch/err"; expect_soon has_lines ready 2; }
a_host_that_is_lost_ends_the_job_everywhere() {
  on_hosts 2 "${FUNCNAME[0]}"
  export ATRIUM_HOST_TIMEOUT=2
  start_hanging; kill -STOP "$(agent)"; wait "$launcher"; expect [ $? = 1 ]
  expect grep -q 'host 10.77.0.[12] does not answer' "$scratch/err"; expect_soon none_of "^$SEAT"
  start_hanging; kill -KILL "$(agent)"; wait "$launcher"; expect [ $? = 1 ]
  expect grep -q 'host 10.77.0.[12] is lost' "$scratch/err"; expect_soon none_of "^$SEAT"
  start_hanging; kill -KILL "$launcher"; expect_soon none_of "^$SEAT"
}
# As one that has no CPU for long, or waits for a disk. The kernel of its host answers, and the other end waits.
function hold { "$HOLD" "$1" "$2" || { [ $? != 77 ] || skip "no process may be traced here"; return 1; }; }
function start_until_told { start_across -n 2 sh -c 'echo ready; until [ -e "$0" ]; do sleep 0.1; done; echo "done"' "$scratch/go" >"$scratch/out" 2>"$scratch/err"; expect_soon has_lines ready 2; }
function agent_of { pgrep -fx "sh -c echo ready.*$scratch/go" | xargs ps -o ppid= | sort -u | sed -n "$1p" | tr -d ' '; }
function all_ends_well { touch "$scratch/go"; wait "$launcher"; expect [ $? = 0 ]; expect has_lines 'done' 2; }
an_agent_that_has_no_cpu_for_long_is_waited_for() {
  on_hosts 2 "${FUNCNAME[0]}"
  export ATRIUM_HOST_TIMEOUT=2
  # shellcheck disable=SC2034  # notes are wanted
  ATRIUM_QUIET=0 start_across -n 2 sh -c 'echo ready; until [ -e "$0" ]; do sleep 0.1; done; echo "done"' "$scratch/go" >"$scratch/out" 2>"$scratch/err"
  expect_soon has_lines ready 2; expect hold "$(agent_of 1)" 9; expect hold "$(agent_of 2)" 9; all_ends_well
  expect_soon none_of end-agent
}
an_oshrun_that_has_no_cpu_for_long_is_waited_for() {
  on_hosts 2 "${FUNCNAME[0]}"
  export ATRIUM_HOST_TIMEOUT=2
  start_until_told; expect hold "$launcher" 9; all_ends_well
}
# The agent has asked the kernel of a silent oshrun before it has no CPU itself: that answer is too old when it looks again.
an_agent_that_has_no_cpu_after_it_has_asked_asks_again() {
  on_hosts 2 "${FUNCNAME[0]}"
  export ATRIUM_HOST_TIMEOUT=2
  start_until_told; "$HOLD" "$launcher" 15 & sleep 4; expect hold "$(agent_of 2)" 9; all_ends_well
}
# Neither the agent nor its kernel answers: its host may be gone. The agents are held until oshrun has said so, however long that takes.
an_agent_that_has_no_cpu_is_given_up_where_its_host_does_not_answer() {
  on_hosts 2 "${FUNCNAME[0]}"
  local victim holders=() soon=$patience
  export ATRIUM_HOST_TIMEOUT=2
  start_hanging; cut 0 1; cut 1 0
  for victim in $(pgrep -fx '.*oshrun --be-agent [^ ]*'); do
    [ "$(ps -o comm= "$victim")" != oshrun-guard ] || continue
    expect hold "$victim" 0; "$HOLD" "$victim" "$((2 * patience))" & holders+=($!)
  done
  expect_soon grep -q "host ${hosts[1]} does not answer" "$scratch/err"; kill "${holders[@]}"
  expect_soon launcher_has_ended; wait "$launcher"; expect [ $? = 1 ]; expect_soon none_of "^$SEAT"
}
function launcher_has_ended { ! kill -0 "$launcher" 2>/dev/null; }
# For longer than by default: who sets another limit means the guard on the agent's host, too.
an_agent_that_is_stopped_is_waited_for_as_long_as_the_user_says() {
  on_hosts 2 "${FUNCNAME[0]}"
  for limit in 0 1000; do
    export ATRIUM_HOST_TIMEOUT=$limit
    rm -f "$scratch/go"; start_until_told; victim=$(agent_of 2)
    kill -STOP "$victim"; sleep 9; expect kill -CONT "$victim"; all_ends_well
  done
}
# Nobody on that host can end it then. In a session of its own, as ssh's other end: the end of the command here does not reach it.
an_agent_that_is_stopped_with_its_guard_is_ended_from_the_other_host() {
  on_hosts 2 "${FUNCNAME[0]}"
  export ATRIUM_HOST_TIMEOUT=2
  start_oshrun --hosts "$HOST_LIST" --agent "setsid -w $HOST_AGENT %h" -n 2 "$SEAT" register init print=ready hang >"$scratch/out" 2>"$scratch/err"
  expect_soon has_lines ready 2; victim=$(agent); pkill -STOP -x oshrun-guard; kill -STOP "$victim"; wait "$launcher"; expect [ $? = 1 ]
  expect grep -q 'host 10.77.0.[12] does not answer' "$scratch/err"; expect_soon [ ! -e "/proc/$victim" ]  # its parent may not have waited for it yet
  pkill -CONT -x oshrun-guard  # of the other host
  expect_soon none_of be-agent; expect_soon none_of end-agent; expect_soon none_of "^$SEAT"
}
an_oshrun_that_was_stopped_says_that_the_hosts_have_given_it_up() {
  on_hosts 2 "${FUNCNAME[0]}"
  export ATRIUM_HOST_TIMEOUT=2
  start_across -n 2 "$SEAT" register init 1:print=ready hang >"$scratch/out" 2>"$scratch/err"
  expect_soon has_lines ready 1; kill -STOP "$launcher"; expect_soon none_of be-agent; kill -CONT "$launcher"
  wait "$launcher"; expect [ $? = 1 ]; expect grep -q "host 10.77.0.[12] has given this oshrun up" "$scratch/err"
  expect_soon none_of "^$SEAT"
}
an_agent_that_is_stopped_before_it_greets_is_ended() {
  has_sanitizers && skip "a sanitizer's run time wants to be loaded first"
  on_hosts 2 "${FUNCNAME[0]}"
  expect_status 1 oshrun --hosts "$HOST_LIST" --agent "setsid -w $HOST_AGENT %h env LD_PRELOAD=$STOPPED" -n 2 true
  expect grep -q "cannot start the agent on host ${hosts[1]}" "$scratch/err"; expect grep -q "because: somebody has stopped it" "$scratch/err"
  expect_soon none_of be-agent; expect_soon none_of end-agent
}
# The first pipe carries nothing back, the second one does.
an_agent_whose_greeting_does_not_arrive_is_ended() {
  on_hosts 2 "${FUNCNAME[0]}"
  printf '#!/bin/bash\ncase "$*" in *be-agent*) "$HOST_AGENT" "$@" | sleep 1000 ;; *) exec "$HOST_AGENT" "$@" ;; esac\n' >"$scratch/mute"
  chmod +x "$scratch/mute"
  expect_status 1 oshrun --hosts "$HOST_LIST" --agent "$scratch/mute" -n 2 true
  # On a crowded machine it has given up by itself when somebody looks.
  expect grep -Eq "because: it (runs there, but its greeting does not arrive|has ended there, and nothing that it said arrives)" "$scratch/err"
  expect_soon none_of be-agent
}
# As a login does that takes its time. Nobody looks what keeps it before ten seconds are over, which on a crowded machine they may be.
an_agent_that_starts_late_is_waited_for() {
  on_hosts 2 "${FUNCNAME[0]}"
  printf '#!/bin/sh\ndate +%%s >>"$LOGINS"\nsleep 5\nexec "$HOST_AGENT" "$@"\n' >"$scratch/late"; chmod +x "$scratch/late"
  LOGINS=$scratch/logins expect_status 0 oshrun --hosts "$HOST_LIST" --agent "$scratch/late" -n 2 true; expect_soon none_of end-agent
  expect awk 'NR == 1 { first = $1 } NR > 1 && $1 < first + 9 { early = 1 } END { exit early || NR == 0 }' "$scratch/logins"
}
# A name service or a file server of a cluster cannot bear all of them.
few_logins_are_under_way_at_a_time() {
  local host list=
  printf '#!/bin/sh\nmkdir "$LOGINS/$$"; ls "$LOGINS" | wc -l >>"$LOGINS.most"; sleep 0.5; rmdir "$LOGINS/$$"; shift; exec sh -c "$*"\n' >"$scratch/login"
  chmod +x "$scratch/login"; mkdir "$scratch/logins"
  for host in $(seq 48); do list+=,pretended$host:1; done
  LOGINS=$scratch/logins expect_status 0 oshrun --hosts "${list#,}" --agent "$scratch/login %h" -n 48 true
  expect [ "$(wc -l <"$scratch/logins.most")" = 48 ]; expect [ "$(sort -n "$scratch/logins.most" | tail -n 1)" -le 32 ]
}
hosts_that_the_limit_on_open_files_does_not_allow_are_refused_at_the_start() {
  local list; list=$(seq -f 'pretended%g:1' -s , 60)
  (ulimit -n 250; expect_status 1 oshrun --tree-width 60 --hosts "$list" --agent 'env %h=x' -n 60 true) || exit 1
  expect grep -q 'cannot reach 60 hosts from here' "$scratch/err"; expect grep -q 'try: *ulimit -Hn 276.*--tree-width' "$scratch/err"
  (ulimit -Sn 150; expect_status 0 oshrun --tree-width 60 --hosts "$list" --agent 'env %h=x' -n 60 sh -c 'ulimit -Sn') || exit 1
  expect has_lines 150 60
}
