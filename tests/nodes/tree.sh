# Jobs whose agents start agents, over hosts made of namespaces: the first host reaches the second, that one the third, and so on, unless
# a case says otherwise.
# SPDX-License-Identifier: BSD-3-Clause
. "$(dirname -- "$1")/hosts.sh"

# As ssh's other end, an agent has a session of its own: the end of the command that has started it does not reach it.
function along_tree { oshrun --tree-width "${width:-1}" --hosts "$HOST_LIST" --agent "setsid -w $HOST_AGENT %h" "$@"; }
function start_along_tree { start_oshrun --tree-width "${width:-1}" --hosts "$HOST_LIST" --agent "setsid -w $HOST_AGENT %h" "$@"; }
# The agent of that host, counted from 1.
function agent_on {
  local network pid
  network=$("$HOST_AGENT" "${hosts[$1 - 1]}" 'readlink /proc/self/ns/net')
  for pid in $(pgrep -fx '.*oshrun --be-agent [^ ]*'); do
    [ "$(ps -o comm= "$pid")" != oshrun ] || [ "$(readlink "/proc/$pid/ns/net")" != "$network" ] || echo "$pid"
  done
}
function start_hanging_along_tree { start_along_tree -n "${#hosts[@]}" "$SEAT" register init print=ready hang >"$scratch/out" 2>"$scratch/err"; expect_soon has_lines ready "${#hosts[@]}"; }
function all_are_gone { expect_soon none_of "^$SEAT"; expect_soon none_of be-agent; expect_soon none_of end-agent; }

pes_of_hosts_in_a_tree_are_one_job() {
  on_hosts 5 "${FUNCNAME[0]}"
  for width in 1 2 3; do
    expect_status 0 along_tree -n 10 "$PLACEMENT" 0 0 1 1 2 2 3 3 4 4
    expect_status 0 along_tree -N 2 --map-by node "$PLACEMENT" 0 1 2 3 4 0 1 2 3 4
    expect_status 0 along_tree -n 5 "$OPERATIONS"
  done
}
# Those without a PE are known only when all hosts have told their CPUs.
hosts_without_a_pe_may_be_in_a_tree() {
  on_hosts 5 "${FUNCNAME[0]}"
  for width in 1 2; do
    expect_status 0 oshrun --tree-width $width --hosts "${hosts[0]}:1,${hosts[1]},${hosts[2]}:1,${hosts[3]}:1,${hosts[4]}" --agent "$HOST_AGENT" -n 2 "$PLACEMENT" 0 1
    expect [ ! -s "$scratch/err" ]; expect_soon none_of be-agent
  done
}
streams_come_and_go_along_a_tree() {
  on_hosts 5 "${FUNCNAME[0]}"
  expect_status 0 along_tree -n 5 -l sh -c 'echo "out of $ATRIUM_JOB_PE"; echo "err of $ATRIUM_JOB_PE" >&2; printf tail'
  for pe in 0 1 2 3 4; do
    expect grep -qx "\[$pe@${hosts[pe]}\] out of $pe" "$scratch/out"; expect grep -qx "\[$pe@${hosts[pe]}\] err of $pe" "$scratch/err"
    expect grep -qx "\[$pe@${hosts[pe]}\] tail" "$scratch/out"
  done
  seq 300000 >"$scratch/numbers"
  expect_status 0 along_tree -n 5 --stdin 4 sh -c 'wc -c' <"$scratch/numbers"; expect has_lines 0 4; expect has_lines "$(wc -c <"$scratch/numbers")" 1
  # Through a pipe, to all, some of which read a little only.
  cat "$scratch/numbers" | expect_status 0 along_tree -n 5 --stdin all sh -c 'if [ "$ATRIUM_JOB_PE" != 3 ]; then head -c 2 >"$0.$ATRIUM_JOB_PE"; else cat; fi' "$scratch/some"
  expect cmp "$scratch/numbers" "$scratch/out"
  # More than any queue holds, with a slow reader; each PE's lines are in its order.
  expect [ "$(along_tree -n 5 -l sh -c 'seq 300000' | { sleep 1; awk '{ wrong += $2 != ++last[$1] } END { print NR, wrong + 0 }'; })" = '1500000 0' ]
  # A reader that goes ends the writers.
  timeout 30 bash -c '"$@" | head -n 1' - "$BUILD_TREE/bin/oshrun" -q --tree-width 1 --hosts "$HOST_LIST" --agent "$HOST_AGENT" -n 5 yes endless >"$scratch/out"
  expect [ "$(cat "$scratch/out")" = endless ]; expect_soon none_of "yes endless"
}
signals_reach_all_hosts_of_a_tree() {
  on_hosts 4 "${FUNCNAME[0]}"
  for signal in TERM USR2; do
    start_along_tree -n 4 bash -c "trap 'echo got; exit 0' $signal; echo ready; while :; do sleep 0.05; done" >"$scratch/out" 2>"$scratch/err"
    expect_soon has_lines ready 4; kill -$signal "$launcher"; wait "$launcher"; expect [ $? = 0 ]; expect has_lines got 4
  done
}
# For longer than a host may be silent. An agent in the middle hears those below it all the time.
a_tree_that_is_stopped_goes_on_later() {
  on_hosts 4 "${FUNCNAME[0]}"
  export ATRIUM_HOST_TIMEOUT=2
  start_along_tree -n 4 sh -c 'echo ready; sleep 1; sleep 1; echo done' >"$scratch/out" 2>"$scratch/err"
  expect_soon has_lines ready 4; kill -TSTP "$launcher"; sleep 6; expect has_lines 'done' 0; kill -CONT "$launcher"
  wait "$launcher"; expect [ $? = 0 ]; expect has_lines 'done' 4; expect [ ! -s "$scratch/err" ]
}
usr1_tells_where_the_pes_of_a_tree_are() {
  on_hosts 4 "${FUNCNAME[0]}"
  start_along_tree -n 4 "$SEAT" register init print=ready hang >"$scratch/out" 2>"$scratch/err"
  expect_soon has_lines ready 4; kill -USR1 "$launcher"
  for pe in 0 1 2 3; do expect_soon grep -q "PE $pe on ${hosts[pe]}: in no long wait" "$scratch/err"; done
  kill -INT "$launcher"; kill -TERM "$launcher"; wait "$launcher"; all_are_gone
}
# By the words of the host itself, whatever lies between.
how_a_job_on_a_tree_ends_is_decided_as_on_one_host() {
  on_hosts 4 "${FUNCNAME[0]}"
  expect_status 139 along_tree -n 4 sh -c '[ "$ATRIUM_JOB_PE" != 3 ] || { sleep 0.3; kill -SEGV $$; }; sleep 1000'
  expect grep -q "PE 3 (pid [0-9]*) on ${hosts[3]} was ended by signal 11" "$scratch/err"
  expect_status 5 along_tree -n 4 "$SEAT" register init 2:exit=5 hang; expect grep -q "on ${hosts[2]} ended with status 5" "$scratch/err"
  expect_status 0 along_tree -n 4 "$SEAT" register init
  expect_status 1 along_tree -n 4 "$SEAT" register init 0:exit=0 hang; expect grep -q "PE 0 .* on ${hosts[0]} has left while others are at work" "$scratch/err"
  expect_status 1 along_tree -n 4 "$SEAT" 3:exit=0 register init hang; expect grep -q "PE 3 .* on ${hosts[3]} ended without calling shmem_init" "$scratch/err"
  expect_status 7 along_tree -n 4 "$SEAT" register init 3:global_exit=7 hang
  expect_status 127 along_tree -n 4 ./no-such-program; expect grep -q "cannot find the program './no-such-program' on 10.77.0" "$scratch/err"
  all_are_gone
}
# A host ends what its PEs have left behind. The commands by which it has reached others are nothing of that kind: what the last host has to
# end takes longer than the others wait.
commands_that_lead_to_other_hosts_are_not_left_behind_by_pes() {
  on_hosts 3 "${FUNCNAME[0]}"
  printf '#!/bin/bash\ntrap "touch %s" TERM\nexec 3<&0\n%s "$@" <&3 3<&- &\nexec 3<&-\nwhile kill -0 $! 2>/dev/null; do wait $!; done\n' "$scratch/told_to_end" "$HOST_AGENT" >"$scratch/agent"
  printf '#!/bin/bash\ntrap "" TERM\ntouch "$1"\nwhile :; do sleep 0.1; done\n' >"$scratch/stays"; chmod +x "$scratch/agent" "$scratch/stays"
  expect_status 0 oshrun --tree-width 1 --hosts "$HOST_LIST" --agent "$scratch/agent" -n 3 \
    sh -c 'if [ "$ATRIUM_JOB_PE" = 2 ]; then "$0/stays" "$0/there" & until [ -e "$0/there" ]; do sleep 0.1; done; fi' "$scratch"
  expect [ ! -e "$scratch/told_to_end" ]; expect [ ! -s "$scratch/err" ]; expect_soon none_of "$scratch/stays"
}
a_host_in_the_middle_of_a_tree_that_is_lost_is_named() {
  on_hosts 4 "${FUNCNAME[0]}"
  export ATRIUM_HOST_TIMEOUT=2
  for host in 2 3 4; do
    start_hanging_along_tree; kill -KILL "$(agent_on $host)"; wait "$launcher"; expect [ $? = 1 ]
    expect grep -q "host ${hosts[host - 1]} is lost" "$scratch/err"; expect [ "$(grep -c '^atrium: ' "$scratch/err")" = 1 ]; all_are_gone
    start_hanging_along_tree; kill -STOP "$(agent_on $host)"; wait "$launcher"; expect [ $? = 1 ]
    expect grep -q "host ${hosts[host - 1]} does not answer" "$scratch/err"; expect [ "$(grep -c '^atrium: ' "$scratch/err")" = 1 ]; all_are_gone
  done
  start_hanging_along_tree; kill -KILL "$launcher"; all_are_gone
}
# Neither end of a link hears the other one then, and the kernel of the host does not answer.
a_host_in_the_middle_of_a_tree_whose_cable_is_pulled_is_named() {
  on_hosts 4 "${FUNCNAME[0]}"
  export ATRIUM_HOST_TIMEOUT=2
  printf '#!/bin/bash\nexec -a "cat to $1." cat < <(exec setsid -w %s "$@" < <(exec -a "cat to $1." cat))\n' "$HOST_AGENT" >"$scratch/bridge"; chmod +x "$scratch/bridge"
  for host in 2 3; do
    start_oshrun --tree-width 1 --hosts "$HOST_LIST" --agent "$scratch/bridge" -n 4 "$SEAT" register init print=ready hang >"$scratch/out" 2>"$scratch/err"
    expect_soon has_lines ready 4; "$HOST_AGENT" "${hosts[host - 1]}" 'ip link set net0 down'
    pkill -STOP -fx "cat to ${hosts[host - 1]}."; pkill -STOP -fx "cat to ${hosts[host]}."
    wait "$launcher"; expect [ $? = 1 ]; expect grep -q "host ${hosts[host - 1]} does not answer" "$scratch/err"
    pkill -CONT -f '^cat to '; "$HOST_AGENT" "${hosts[host - 1]}" 'ip link set net0 up'
    all_are_gone
  done
}
an_agent_in_the_middle_of_a_tree_that_has_no_cpu_is_waited_for() {
  on_hosts 3 "${FUNCNAME[0]}"
  export ATRIUM_HOST_TIMEOUT=2
  start_along_tree -n 3 sh -c 'echo ready; until [ -e "$0" ]; do sleep 0.1; done; echo "done"' "$scratch/go" >"$scratch/out" 2>"$scratch/err"
  expect_soon has_lines ready 3; expect hold "$(agent_on 2)" 9; touch "$scratch/go"; wait "$launcher"; expect [ $? = 0 ]; expect has_lines 'done' 3
}
# On many clusters only the first host has the keys. Whoever cannot reach a host leaves it to the first.
function with_keys_on {
  printf '#!/bin/sh\ncase " %s " in *" $(hostname) "*) ;; *) echo "Host key verification failed." >&2; exit 255 ;; esac\necho "$(hostname) $1" >>%s\nexec %s "$@"\n' \
    "$*" "$scratch/logins" "$HOST_AGENT" >"$scratch/keys"
  chmod +x "$scratch/keys"; : >"$scratch/logins"
}
function by_keys { oshrun --tree-width "${width:-1}" --hosts "$HOST_LIST" --agent "$scratch/keys" "$@"; }
function logins_are { [ "$(sort -u "$scratch/logins" | tr '\n' ',')" = "$1" ]; }
hosts_that_only_the_first_one_reaches_are_reached_by_it() {
  on_hosts 5 "${FUNCNAME[0]}"
  with_keys_on host1
  for width in 1 2; do
    : >"$scratch/logins"
    expect_status 0 by_keys -n 10 "$PLACEMENT" 0 0 1 1 2 2 3 3 4 4
    expect logins_are "$(printf 'host1 %s,' "${hosts[@]:1}")"
  done
  expect_status 0 by_keys -n 5 "$OPERATIONS"; expect [ ! -s "$scratch/err" ]
  with_keys_on host1 host2 host4
  width=1 expect_status 0 by_keys -n 10 --map-by node "$PLACEMENT" 0 1 2 3 4 0 1 2 3 4
  expect logins_are "host1 ${hosts[1]},host1 ${hosts[3]},host2 ${hosts[2]},host4 ${hosts[4]},"
  width=1 expect_status 5 by_keys -n 5 "$SEAT" register init 4:exit=5 hang; expect grep -q "on ${hosts[4]} ended with status 5" "$scratch/err"
}
a_host_that_nobody_reaches_is_named_with_the_words_of_the_first() {
  on_hosts 4 "${FUNCNAME[0]}"
  printf '#!/bin/sh\n[ "$1" != %s ] || { echo "$(hostname) is not let in." >&2; exit 255; }\nexec %s "$@"\n' "${hosts[3]}" "$HOST_AGENT" >"$scratch/keys"
  chmod +x "$scratch/keys"
  expect_status 1 by_keys -n 4 true
  expect grep -q "cannot start the agent on host ${hosts[3]}" "$scratch/err"; expect grep -q 'because: .*: host1 is not let in' "$scratch/err"
  expect grep -q "try: .*'$scratch/keys ${hosts[3]} true' by hand" "$scratch/err"; expect_soon none_of be-agent
}
# What each of them is told of all others goes to all of them, and a half of it would be to tell each one all of it itself.
what_the_first_oshrun_writes_at_the_start_grows_with_the_hosts() {
  local hosts=40
  printf '#!/bin/bash\nshift\n[ -z "$BELOW" ] || exec "$@"\nexport BELOW=yes\nexec "$@" < <(exec tee "$WRITTEN.$$")\n' >"$scratch/agent"; chmod +x "$scratch/agent"
  BELOW='' WRITTEN=$scratch/written expect_status 0 oshrun --agent "$scratch/agent" --hosts "$(seq -f 'pretended%g:1' -s , $hosts)" -n $hosts "$OPERATIONS"
  expect [ "$(cat "$scratch"/written.* | wc -c)" -le $((2048 * hosts)) ]
}
