# Jobs over hosts, which are made of namespaces: hangs are told once, with the hosts' names; whatever one host does not know of
# another is no hang.
# SPDX-License-Identifier: BSD-3-Clause
soon=60  # seconds: a hang is looked for during several, beside other tests
# shellcheck shell=bash disable=SC2317  # cases are called by name
. "$SOURCE_TREE/tests/nodes/on_hosts.sh"

function ended { threads_are_judged; expect_status 35 across --check "$@"; expect [ "$(grep -c 'atrium: deadlock:' "$scratch/err")" = 1 ]; }
function nothing_was_said { expect [ "$(grep -c deadlock: "$scratch/err")" = 0 ]; expect grep -q 'PE 0 has come to the end' "$scratch/out"; }
function goes_on { expect_status 0 across --check "$@"; nothing_was_said; }
function count_of { pgrep -fc -- "$1"; }
# While the job runs that start_across has started.
function ends_well { wait "$launcher"; expect [ $? = 0 ]; nothing_was_said; }
function has_line { grep -qx "$1" "$scratch/out"; }
function said {
  local pattern
  for pattern; do expect grep -q -- "$pattern" "$scratch/err"; done
}
function agents { pgrep -x oshrun | grep -vx "$launcher"; }

over_hosts_a_barrier_and_a_flag_hang() {
  on_hosts 2 "${FUNCNAME[0]}"
  ended -n 4 "$HANGS" barrier_and_flag
  said "^atrium: deadlock: all 4 PEs wait, and nobody else can end that$" "^  PE 0 on ${hosts[0]} *waits in shmem_barrier_all" "^ *for PEs 1-3$" \
    "^  PE 1 on ${hosts[0]} *waits in shmem_int_wait_until" "^  PEs 2-3 on ${hosts[1]} *wait in shmem_int_wait_until" \
    "of its own to be == 1 (it is 0), which another PE would set$" "^ *the job is ended, with status 35$"
}
over_hosts_lines_come_from_each_host() {
  on_hosts 2 "${FUNCNAME[0]}"
  needs_lines
  ended -n 2 "$HANGS" barrier_and_flag
  said "^  PE 0 on ${hosts[0]} *waits in shmem_barrier_all (hangs.c:[0-9]* in" "^  PE 1 on ${hosts[1]} *waits in shmem_int_wait_until (hangs.c:[0-9]* in" \
    "^ *for \`flag\` of its own to be == 1 (it is 0), which PE 0 would set$" "^  cycle *PE 0 -> PE 1 -> PE 0$"
}
over_hosts_locks_hang_crosswise() {
  on_hosts 2 "${FUNCNAME[0]}"
  ended -n 2 "$HANGS" locks_crosswise
  said "for the lock that PE 1 holds, or waits for in front of it$" "^  cycle *PE 0 -> PE 1 -> PE 0$" "^  try *setting locks in the same order on all PEs$"
}
over_hosts_a_lock_and_a_barrier_hang() { on_hosts 2 "${FUNCNAME[0]}"; ended -n 4 "$HANGS" lock_and_barrier; said "^  PE 0 on ${hosts[0]} *waits in shmem_barrier_all"; }
over_hosts_teams_in_another_order_hang() {
  on_hosts 2 "${FUNCNAME[0]}"
  ended -n 3 "$HANGS" teams_in_other_order
  said "^  PE 0 on ${hosts[0]} *waits in shmem_team_sync of a team of PEs 0-1" "waits in shmem_broadcastmem of SHMEM_TEAM_WORLD" \
    "^atrium: deadlock: all 3 PEs wait, since the PEs do not make the same collective calls$"
}
over_hosts_a_reduction_of_some_hangs() { on_hosts 3 "${FUNCNAME[0]}"; ended -n 6 "$HANGS" reduction_of_some; said "wait in shmem_long_sum_reduce" "^ *for PE 5$"; }
# Agents in the middle answer for those below them. Some hosts have no PE, which is known only when all have told their CPUs.
over_hosts_in_a_tree_a_barrier_and_a_flag_hang() {
  on_hosts 5 "${FUNCNAME[0]}"
  for width in 1 2; do
    ended --tree-width $width -n 5 "$HANGS" barrier_and_flag
    said "^  PE 0 on ${hosts[0]} *waits in shmem_barrier_all" "^  PE 4 on ${hosts[4]} *waits in shmem_int_wait_until" "for PEs 1-4$"
    HOST_LIST="${hosts[0]}:1,${hosts[1]},${hosts[2]}:1,${hosts[3]}:1,${hosts[4]}" ended --tree-width $width -n 2 "$HANGS" barrier_and_flag
    said "^  PE 1 on ${hosts[1]} *waits in shmem_int_wait_until"
  done
}
over_hosts_every_way_of_waiting_hangs() {
  on_hosts 2 "${FUNCNAME[0]}"
  local wait
  for wait in spin yield block; do ATRIUM_WAIT=$wait ended -n 2 "$HANGS" barrier_and_flag; done
}
over_hosts_a_hang_is_said_once_without_check() {
  threads_are_judged
  on_hosts 2 "${FUNCNAME[0]}"
  start_across -n 2 "$HANGS" barrier_and_flag >"$scratch/out" 2>"$scratch/err"
  expect_soon grep -q 'the job goes on waiting; oshrun --check ends such a job$' "$scratch/err"
  sleep 3; kill -TERM "$launcher"; wait "$launcher"; expect [ $? = 143 ]
  expect [ "$(grep -c 'atrium: deadlock:' "$scratch/err")" = 1 ]
}
over_hosts_a_loop_of_tests_is_hinted_at() {
  threads_are_judged
  on_hosts 2 "${FUNCNAME[0]}"
  start_across --check -n 2 "$LOOKS_LIKE" tests_for_ever >"$scratch/out" 2>"$scratch/err"
  expect_soon grep -q '^ *if nobody stops testing, that is a deadlock$' "$scratch/err"
  said "^  PE 0 on ${hosts[0]} *tests in shmem_int_test" "^  PE 1 on ${hosts[1]} *waits in shmem_barrier_all"
  sleep 2; kill -TERM "$launcher"; wait "$launcher"; expect [ $? = 143 ]; expect [ "$(grep -c deadlock: "$scratch/err")" = 0 ]
}
over_hosts_it_can_be_turned_off() {
  on_hosts 2 "${FUNCNAME[0]}"
  ATRIUM_DEADLOCK=0 expect_status 124 across --check --timeout 5 -n 2 "$HANGS" barrier_and_flag
  expect [ "$(grep -c deadlock: "$scratch/err")" = 0 ]
}

over_hosts_a_pe_that_computes_is_no_hang() { on_hosts 2 "${FUNCNAME[0]}"; goes_on -n 3 "$LOOKS_LIKE" computes; }
over_hosts_a_pe_that_sleeps_is_no_hang() { on_hosts 3 "${FUNCNAME[0]}"; goes_on -n 3 "$LOOKS_LIKE" sleeps; }
over_hosts_a_pe_that_puts_now_and_then_is_no_hang() { on_hosts 2 "${FUNCNAME[0]}"; goes_on -n 2 "$LOOKS_LIKE" puts_a_little_now_and_then; }
over_hosts_a_pe_that_comes_late_is_no_hang() { on_hosts 2 "${FUNCNAME[0]}"; goes_on -n 2 "$LOOKS_LIKE" comes_late; }
over_hosts_a_pe_that_goes_late_is_no_hang() { on_hosts 2 "${FUNCNAME[0]}"; goes_on -n 2 "$LOOKS_LIKE" goes_late; }
over_hosts_a_thread_that_sleeps_is_no_hang() { on_hosts 2 "${FUNCNAME[0]}"; goes_on -n 2 "$LOOKS_LIKE" thread_sleeps; }
over_hosts_a_signal_under_way_is_no_hang() { on_hosts 2 "${FUNCNAME[0]}"; goes_on -n 2 "$UNDER_WAY" signal; }
over_hosts_a_transfer_under_way_is_no_hang() { on_hosts 2 "${FUNCNAME[0]}"; goes_on -n 2 "$UNDER_WAY" transfer; }
over_hosts_a_pe_that_reads_input_is_no_hang() {
  on_hosts 2 "${FUNCNAME[0]}"
  { sleep 5; echo line; } | ATRIUM_QUIET=1 "$BUILD_TREE/bin/oshrun" --check --hosts "$HOST_LIST" --agent "$HOST_AGENT %h" -n 2 "$LOOKS_LIKE" reads_input \
    >"$scratch/out" 2>"$scratch/err"
  expect [ $? = 0 ]; nothing_was_said
}
# What is sent is dropped for some seconds, as by a firewall: TCP has it, and neither PE.
over_hosts_a_line_that_is_cut_for_seconds_is_no_hang() {
  on_hosts 2 "${FUNCNAME[0]}"
  start_across --check -n 2 "$UNDER_WAY" to_and_fro >"$scratch/out" 2>"$scratch/err"
  expect_soon has_line ready; sleep 0.5
  "$HOST_AGENT" "${hosts[1]}" 'tc qdisc add dev net0 root tbf rate 8bit burst 1 limit 1'
  sleep 5; "$HOST_AGENT" "${hosts[1]}" 'tc qdisc del dev net0 root'
  ends_well
}
# PE 1 on the other host waits for PE 0, whose agent answers no question for some seconds.
over_hosts_an_agent_that_is_stopped_for_seconds_is_no_hang() {
  on_hosts 2 "${FUNCNAME[0]}"
  export ATRIUM_HOST_TIMEOUT=60  # a crowded machine adds to the seconds
  start_across --check -n 2 "$LOOKS_LIKE" sleeps >"$scratch/out" 2>"$scratch/err"
  started() { [ "$(count_of "^$LOOKS_LIKE") $(agents | wc -l)" = "2 2" ]; }; expect_soon started; sleep 0.5
  for agent in $(agents); do kill -STOP "$agent"; sleep 3; kill -CONT "$agent"; done
  ends_well
}
# Two of them, of which the first one stops before it has set the second one's flag.
over_hosts_a_pe_that_is_stopped_for_seconds_is_no_hang() {
  on_hosts 2 "${FUNCNAME[0]}"
  start_across --check -n 2 "$UNDER_WAY" to_and_fro >"$scratch/out" 2>"$scratch/err"
  expect_soon has_line ready
  for pe in $(pgrep -f "^$UNDER_WAY"); do kill -STOP "$pe"; sleep 4; kill -CONT "$pe"; done
  ends_well
}
