#!/bin/bash
# What the virtual machine does: gives itself a cable between two interfaces, a device of Soft-RoCE at one of them, and runs the case.
# SPDX-License-Identifier: BSD-3-Clause
source "$CASE_FOLDER/environment"
hostname machine
ln -s /proc/self/fd /dev/fd
sysctl -q kernel.printk="3 4 1 3"
ip link set lo up
ip link add roce0 type veth peer name cable
ip address add 192.0.2.1/24 dev roce0
ip link set cable up
ip link set roce0 up
modprobe -a rdma_rxe ib_uverbs rdma_ucm
rdma link add rxe0 type rxe netdev roce0
exec bash "$SOURCE_TREE/tests/launch/run_case.sh" "$CASE_SCRIPT" "$CASE_NAME"
