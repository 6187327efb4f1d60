#!/bin/bash
# What a virtual machine does: gives itself a device of Soft-RoCE, and runs the case. The second of two lets the first one in instead.
# SPDX-License-Identifier: BSD-3-Clause
source "$CASE_FOLDER/environment"
ln -s /proc/self/fd /dev/fd
sysctl -q kernel.printk="3 4 1 3"
ip link set lo up

# A machine on its own has both ends of a cable. Of two, each has one end of the cable for data, and of the one for ssh.
if [[ $MACHINES == 1 ]]; then
  hostname machine
  ip link add roce0 type veth peer name cable
  ip link set cable up
else
  hostname "machine$MACHINE"
  modprobe virtio_net
  ip link set eth0 name roce0
  ip link set eth1 name control0
  ip address add "198.51.100.$MACHINE/24" dev control0
  ip link set control0 up
fi
ip address add "192.0.2.$MACHINE/24" dev roce0
ip link set roce0 up
modprobe -a rdma_rxe ib_uverbs rdma_ucm
rdma link add rxe0 type rxe netdev roce0

[[ $MACHINES == 1 ]] || mkdir -p /run/sshd
[[ $MACHINE == 1 ]] || exec /usr/sbin/sshd -D -e
if [[ $MACHINES == 2 ]]; then
  tries=60
  until ssh machine2 true; do sleep 1 && ((--tries)) || { echo "machine2 does not answer"; exit 1; }; done
fi
exec bash "$SOURCE_TREE/tests/launch/run_case.sh" "$CASE_SCRIPT" "$CASE_NAME"
