#!/bin/bash
# Where /dev/shm is small, or larger than memory: windows are made or refused, and nothing hangs or dies at a touch.
# SPDX-License-Identifier: BSD-3-Clause
# usage: room.sh small|large FLAVOUR PROGRAM
set -u
case=$1 flavour=$2 program=$3

case $case in
  small) size=24m ask=(1000000 500000 13000000) ;;
  large) size=$(($(awk '/^MemTotal/ { print $2 }' /proc/meminfo) * 16))k
    ask=($(($(awk '/^(MemTotal|SwapTotal)/ { kib += $2 } END { print kib }' /proc/meminfo) * 2048)) 1 0 untouched)
    ask[2]=${ask[0]} ;;
esac
unshare -rm mount -t tmpfs -o size=$size tmpfs /dev/shm 2>/dev/null || { echo "no mounts of one's own here" && exit 77; }

output=$(unshare -rm bash -c "mount -t tmpfs -o size=$size tmpfs /dev/shm &&
  timeout 50 bash '$SOURCE_TREE/tests/mpi/start.sh' $flavour 2 '$program' ${ask[*]}" 2>&1)
status=$?
grep -q refused <<<"$output" && [ $status -eq 0 ] || { echo "$output"; echo "status $status"; exit 1; }
[ "$case" = large ] || grep -q made <<<"$output"
