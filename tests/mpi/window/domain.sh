#!/bin/bash
# Four ranks where the kernel seems to have a memory node per CPU: bound ranks share by domain, others the whole node.
# SPDX-License-Identifier: BSD-3-Clause
# usage: domain.sh FLAVOUR PROGRAM
set -eu
flavour=$1 program=$2
sys=/sys/devices/system/cpu

if [ "${3-}" != inside ]; then
  unshare -rm mount --bind /tmp $sys 2>/dev/null || { echo "no mounts of one's own here" && exit 77; }
  taskset -c 1 true 2>/dev/null || { echo "there is no second CPU" && exit 77; }
  exec unshare -rm bash "$0" "$flavour" "$program" inside
fi

folder=$(mktemp -d)
trap 'umount $sys; rm -rf "$folder"' EXIT
for cpu in 0 1; do
  mkdir -p "$folder/cpu$cpu/node$cpu"
  cp -r $sys/cpu$cpu/topology "$folder/cpu$cpu/"
done
cp $sys/{online,possible,present} "$folder"
mount --bind "$folder" $sys

start() { timeout 50 bash "$SOURCE_TREE/tests/mpi/start.sh" "$flavour" 4 "$@"; }
expect_four_times() { [ "$(grep -c "^$1$" <<<"$2")" = 4 ] || { echo "not four times '$1':"; echo "$2"; exit 1; }; }
# shellcheck disable=SC2016  # for the shell of each rank
bound='taskset -cp $((${OMPI_COMM_WORLD_RANK:-$PMI_RANK} % 2)) $$ >/dev/null; exec "$0"'
expect_four_times "one of 2" "$(start bash -c "$bound" "$program")"
expect_four_times "one of 4" "$(start taskset -c 0,1 "$program")"
