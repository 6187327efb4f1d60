#!/bin/bash
# Where /dev/shm is small, or larger than memory, or a container has less of it: windows are made or refused, and nothing hangs or dies at a touch.
# SPDX-License-Identifier: BSD-3-Clause
# usage: room.sh small|large|container FLAVOUR PROGRAM
set -u
case=$1 flavour=$2 program=$3

case $case in
  small) size=24m ask=(1000000 500000 13000000) ;;
  large) size=$(($(awk '/^MemTotal/ { print $2 }' /proc/meminfo) * 16))k
    ask=($(($(awk '/^(MemTotal|SwapTotal)/ { kib += $2 } END { print kib }' /proc/meminfo) * 2048)) 1 0 untouched)
    ask[2]=${ask[0]} ;;
  container) size=1g ask=(1000000 60000000 61000000) ;;
esac
# As a container sees its limits: 100 MB, and none elsewhere.
groups=$(mktemp -d)
trap 'rm -rf "$groups"' EXIT
[ "$case" != container ] || echo 100000000 >"$groups/memory.max"
unshare -rm mount -t tmpfs -o size=$size tmpfs /dev/shm 2>/dev/null || { echo "no mounts of one's own here" && exit 77; }

output=$(unshare -rm bash -c "mount -t tmpfs -o size=$size tmpfs /dev/shm && mount --bind '$groups' /sys/fs/cgroup &&
  timeout 50 bash '$SOURCE_TREE/tests/mpi/start.sh' $flavour 2 '$program' ${ask[*]}" 2>&1)
status=$?
grep -q refused <<<"$output" && [ $status -eq 0 ] || { echo "$output"; echo "status $status"; exit 1; }
[ "$case" = large ] || grep -q made <<<"$output"
