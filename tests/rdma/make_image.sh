#!/bin/bash
# Makes what a virtual machine starts from, out of Debian packages alone: a kernel that has Soft-RoCE, and a small system that it
# keeps in memory. usage: make_image.sh FOLDER   (afterwards: FOLDER/kernel, FOLDER/system); status 77 with a reason where it cannot
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
folder=$1
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
source /etc/os-release
skip() { echo "$*"; exit 77; }

# libfabric with all that its verbs provider opens, and what the cases use.
packages=libfabric1,libibverbs1,ibverbs-providers,librdmacm1,libhwloc15,libstdc++6,iproute2,procps,kmod,mount,cpio,openssh-server,openssh-client

# What the image is made of: another one is made where that has changed.
recipe=$(cat "$here/make_image.sh" "$here/pack_system.sh" "$here/first_process.sh" /etc/os-release | sha256sum)
mkdir -p "$folder"
exec 9>"$folder/lock" && flock 9
[[ ! -e $folder/recipe || $(cat "$folder/recipe") != "$recipe" ]] || exit 0

[[ ${ID:-} == debian ]] || skip "no virtual machine here: it is made of Debian's packages, and this is not Debian"
[[ $(uname -m) == x86_64 ]] || skip "no virtual machine here: its kernel is for x86-64"
command -v mmdebstrap >/dev/null || skip "mmdebstrap is not installed"
mmdebstrap --variant=essential --include="$packages" --format=null --customize-hook="$here/pack_system.sh" \
  --customize-hook="download /tmp/kernel $folder/kernel" --customize-hook="download /tmp/system $folder/system" \
  "$VERSION_CODENAME" - ${DEBIAN_MIRROR:-} >"$folder/log" 2>&1 ||
  skip "no virtual machine here: mmdebstrap cannot make a system ($(grep -m 1 -E '^E:' "$folder/log" || tail -n 1 "$folder/log"))"
echo "$recipe" >"$folder/recipe"
