#!/bin/bash
# Runs a command where a control group grants so many CPUs' worth of time: with_quota.sh CPUS COMMAND...
# SPDX-License-Identifier: BSD-3-Clause
#
# The group is made of one file in a folder that is mounted over /sys/fs/cgroup, for the command alone: what looks for
# its limits finds them as in a container, and nothing is limited in truth.
set -eu
cpus=$1
shift
groups=$(mktemp -d)
trap 'rm -rf "$groups"' EXIT
echo "$((cpus * 100000)) 100000" >"$groups/cpu.max"
unshare -rm mount --bind "$groups" /sys/fs/cgroup 2>/dev/null || { echo "no mounts of one's own here" && exit 77; }
unshare -rm bash -c 'mount --bind "$0" /sys/fs/cgroup && exec "$@"' "$groups" "$@"
