#!/usr/bin/env bash
# Makes hosts out of namespaces on this machine, joins them by a switch, and runs a command on the first of them.
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: with_hosts.sh NUMBER [RATE] COMMAND [ARGUMENT...]
#
# Each host has a name, a network interface limited to RATE (tc's tbf, "1gbit"; "none": unlimited), System V IPC and a
# /dev/shm of its own, so that an MPI takes it for a node. The command finds
#   HOST_LIST   the hosts' addresses, separated by commas
#   HOST_AGENT  a script: `$HOST_AGENT ADDRESS COMMAND...` runs the command there, as ssh would (for plm_rsh_agent, -launcher-exec)
# Nothing has a name outside and all processes live in one PID namespace: when this one dies, by whatever signal, the kernel
# takes processes, links and namespaces away. SIGKILL leaves an empty folder in TMPDIR.
set -euo pipefail

if [[ ${1:-} != --inside ]]; then
  [[ $# -ge 2 ]] || { sed -n 's/^# \{0,1\}\(usage: .*\)/\1/p' "$0" >&2 && exit 2; }
  here=$(dirname -- "$(readlink -f -- "$0")")
  as_root=()
  [[ $(id -u) -eq 0 ]] || as_root=(--user --map-root-user)
  setpriv --pdeathsig KILL unshare "${as_root[@]}" --net --mount --pid --fork --kill-child --mount-proc "$here/../../terminable.sh" "$0" --inside "$@" &
  trap 'kill -KILL %1' TERM INT HUP  # unshare ignores the gentle ones
  wait %1
  exit
fi
shift

number=$1
shift
rate=none
[[ ! $1 =~ ^([0-9]+[kmg]?bit|none)$ ]] || { rate=$1 && shift; }

scratch=$(mktemp -d)
mount -t tmpfs scratch "$scratch"
trap 'umount --lazy "$scratch"; rmdir "$scratch"' EXIT
export HOST_AGENT=$scratch/agent HOST_LIST='' TMPDIR=$scratch
unset OMPI_MCA_orte_top_session_dir  # sessions are named by process ids, which other tests' hosts have, too

# The agent enters a host by the process that keeps it. As with ssh, its arguments are one command line, and no variable of the
# caller arrives.
cat >"$HOST_AGENT" <<END
#!/bin/sh
while [ "\${1#-}" != "\$1" ]; do shift; done
read -r keeper <"$scratch/\$1" && shift && exec nsenter --target "\$keeper" --net --uts --ipc --mount --root --wd="\$PWD" \\
  env -i PATH="\$PATH" HOME="\$HOME" TMPDIR="\$TMPDIR" sh -c "\$*"
END
chmod +x "$HOST_AGENT"

# What a host sees of its own before anything runs on it; another boot id is what tells UCX that two hosts differ.
cat >"$scratch/boot" <<'END'
set -e
mount -t tmpfs shm /dev/shm
mount -t sysfs sysfs /sys
cat /proc/sys/kernel/random/uuid >"$2/boot_id.$1"
mount --bind "$2/boot_id.$1" /proc/sys/kernel/random/boot_id
hostname "host$1"
ip link set lo up
touch "$2/up.$1"
exec sleep infinity
END

make_host() {
  local index=$1 address=$2 keeper
  unshare --net --uts --ipc --mount sh "$scratch/boot" "$index" "$scratch" &
  keeper=$!
  until [[ -e $scratch/up.$index ]]; do
    kill -0 $keeper 2>/dev/null || { echo "no hosts can be made here: no namespaces"; exit 77; }
    sleep 0.02
  done
  echo $keeper >"$scratch/$address"
  ip link add "port$index" type veth peer name net0 netns $keeper
  ip link set "port$index" master switch up
  "$HOST_AGENT" "$address" "ip address add $address/24 dev net0 && ip link set net0 up"
  [[ $rate == none ]] || "$HOST_AGENT" "$address" "tc qdisc add dev net0 root tbf rate $rate burst 256kb latency 50ms"
}

ip link add switch type bridge
ip link set switch up
for ((index = 1; index <= number; index++)); do
  make_host $index 10.77.0.$index
  HOST_LIST+=${HOST_LIST:+,}10.77.0.$index
done

# Not by exec: this shell stays to wait, as the first process of its PID namespace.
nsenter --target "$(<"$scratch/10.77.0.1")" --net --uts --ipc --mount --root --wd="$PWD" "$@"
