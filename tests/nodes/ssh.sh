# Jobs over hosts made of namespaces that are reached by OpenSSH itself, with keys made for the test.
# SPDX-License-Identifier: BSD-3-Clause
. "$(dirname -- "$1")/hosts.sh"

# On a busy machine an sshd may not answer at once.
function sshd_lets_in { local try; for try in 1 2 3 4 5; do "$ssh" -o BatchMode=yes "$1" true 2>/dev/null && return; sleep "$try"; done; return 1; }

# Each host gets an sshd, and `$ssh` is an ssh that knows only the keys made here; whatever else oshrun gives it stays.
function with_sshd {
  local server host keys
  server=$(PATH=$PATH:/usr/sbin command -v sshd) || skip "sshd is not installed"
  need ssh; need ssh-keygen
  on_hosts "${2:-2}" "$1"
  keys=$scratch/keys ssh=$scratch/ssh
  mkdir -m 700 "$keys"
  ssh-keygen -q -t ed25519 -N '' -f "$keys/host"; ssh-keygen -q -t ed25519 -N '' -f "$keys/user"
  printf '%s\n' "HostKey $keys/host" "AuthorizedKeysFile $keys/user.pub" 'PidFile none' 'UsePAM no' 'StrictModes no' \
    'PermitRootLogin yes' >"$keys/sshd_config"
  printf '%s\n' "IdentityFile $keys/user" 'IdentitiesOnly yes' "UserKnownHostsFile $keys/known" 'LogLevel ERROR' >"$keys/ssh_config"
  for host in "${hosts[@]}"; do
    # It wants a directory in /run, which is the host's own then.
    "$HOST_AGENT" "$host" "mount -t tmpfs own /run && mkdir /run/sshd && exec $server -f $keys/sshd_config -E $keys/log"
    echo "$host $(<"$keys/host.pub")" >>"$keys/known"
  done
  printf '#!/bin/sh\nexec ssh -F %s "$@"\n' "$keys/ssh_config" >"$ssh"; chmod +x "$ssh"
  sshd_lets_in "${hosts[1]}" || skip "sshd lets nobody in here"
}
function over_ssh { oshrun --hosts "$HOST_LIST" --agent "$ssh" "$@"; }

# Each has the keys, and then only the first one: the others leave to it what they cannot reach.
hosts_reach_each_other_through_ssh_or_are_reached_by_the_first() {
  with_sshd "${FUNCNAME[0]}" 3
  expect_status 0 over_ssh --tree-width 1 -n 6 "$PLACEMENT" 0 0 1 1 2 2
  expect grep -q "Accepted publickey for .* from ${hosts[1]} " "$scratch/keys/log"
  sed "s,^UserKnownHostsFile.*,UserKnownHostsFile /dev/null," "$scratch/keys/ssh_config" >"$scratch/keys/without"
  printf '#!/bin/sh\n[ "$(hostname)" = host1 ] && exec ssh -F %s "$@"\nexec ssh -F %s "$@"\n' "$scratch/keys/ssh_config" "$scratch/keys/without" >"$ssh"
  : >"$scratch/keys/log"
  expect_status 0 over_ssh --tree-width 1 -n 6 "$PLACEMENT" 0 0 1 1 2 2; expect [ ! -s "$scratch/err" ]
  expect [ "$(grep -c 'Accepted publickey' "$scratch/keys/log")" = "$(grep -c "Accepted publickey for .* from ${hosts[0]} " "$scratch/keys/log")" ]
  expect_status 7 over_ssh --tree-width 1 -n 3 "$SEAT" register init 2:exit=7 hang; expect grep -q "on ${hosts[2]} ended with status 7" "$scratch/err"
}
a_job_through_ssh_is_as_any_other() {
  with_sshd "${FUNCNAME[0]}"
  expect_status 0 over_ssh -n 4 "$PLACEMENT" 0 0 1 1
  expect_status 0 over_ssh -n 5 "$OPERATIONS"
  echo 'several  words' | expect_status 0 over_ssh -n 2 --stdin 1 -l sh -c '[ "$ATRIUM_JOB_PE" = 0 ] || cat'
  expect grep -qx "\[1@${hosts[1]}\] several  words" "$scratch/out"
  expect_status 7 over_ssh -n 2 "$SEAT" register init 1:exit=7 hang; expect grep -q "on ${hosts[1]} ended with status 7" "$scratch/err"
}
nothing_is_left_when_oshrun_or_ssh_or_sshd_is_killed() {
  with_sshd "${FUNCNAME[0]}"
  local victim
  for victim in oshrun ssh sshd; do
    start_oshrun --hosts "$HOST_LIST" --agent "$ssh" -n 2 "$SEAT" register init print=ready hang >"$scratch/out" 2>"$scratch/err"
    expect_soon has_lines ready 2
    case $victim in
      oshrun) kill -KILL "$launcher" ;;
      ssh) pkill -KILL -P "$launcher" -x ssh ;;
      sshd) pkill -KILL -f '^sshd(-session)?: .*@notty' ;;
    esac
    wait "$launcher" 2>/dev/null
    expect_soon none_of "^$SEAT"; expect_soon none_of be-agent
    [ "$victim" = oshrun ] || expect grep -q "host ${hosts[1]} is lost" "$scratch/err"
  done
}
# ssh that asks would be stopped by the kernel, having no right to the terminal of oshrun, and never say why.
ssh_that_would_ask_ends_with_its_reason() {
  with_sshd "${FUNCNAME[0]}"
  need_terminal
  : >"$scratch/keys/known"
  expect_status 1 over_ssh -n 2 true
  expect grep -q 'Host key verification failed' "$scratch/err"; expect grep -q "try: .*'$ssh ${hosts[1]} true' by hand" "$scratch/err"
  expect_status 1 script -qec "$BUILD_TREE/bin/oshrun --hosts $HOST_LIST --agent '$ssh -v' -n 2 true" "$scratch/terminal"
  expect grep -q 'Host key verification failed' "$scratch/out"
  echo "${hosts[1]} $(<"$scratch/keys/host.pub")" >"$scratch/keys/known"; sed -i 's,^IdentityFile.*,IdentityFile /no/key,' "$scratch/keys/ssh_config"
  expect_status 1 script -qec "$BUILD_TREE/bin/oshrun --hosts $HOST_LIST --agent '$ssh -v' -n 2 true" "$scratch/terminal"
  expect grep -q 'Permission denied' "$scratch/out"
}
