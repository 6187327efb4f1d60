#!/bin/bash
# The first process of the virtual machine: mounts what the host shares, each folder at its own path, and goes on with a script of
# the host's. What the kernel's command line says as NAME=VALUE is in its environment.
# SPDX-License-Identifier: BSD-3-Clause
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
mount -t devtmpfs none /dev
mkdir -p /dev/pts /dev/shm /proc /sys
mount -t devpts none /dev/pts
mount -t tmpfs none /dev/shm
mount -t proc none /proc
mount -t sysfs none /sys
modprobe -a virtio_pci 9pnet_virtio 9p
# share TAG FOLDER OPTIONS: a path of the host's that leads to the same file here. What is written goes to the host at once: the machine
# may end while somebody still has a file open there.
share() { mkdir -p "$2" && mount -t 9p -o "trans=virtio,version=9p2000.L,msize=512000,$3" "$1" "$2"; }
share sources "$SOURCE_TREE" ro,cache=loose
[[ -d $BUILD_TREE/bin ]] || share build "$BUILD_TREE" ro,cache=loose
share case "$CASE_FOLDER" rw,cache=none
bash "$SOURCE_TREE/tests/rdma/in_the_machine.sh" >"$CASE_FOLDER/output" 2>&1
echo $? >"$CASE_FOLDER/status"
umount "$CASE_FOLDER"
echo b >/proc/sysrq-trigger # restarts, which qemu has been told to take for the end
