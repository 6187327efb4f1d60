# Node windows and the symmetric heap on a machine with two memory nodes, of which the second has no CPU, as high-bandwidth memory
# has none.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2054  # options of qemu have commas
. "$SOURCE_TREE/tests/rdma/machine.sh"

two_memory_nodes=(-object memory-backend-ram,size=2G,id=memory0 -object memory-backend-ram,size=1G,id=memory1
  -numa node,nodeid=0,cpus=0-1,memdev=memory0 -numa node,nodeid=1,memdev=memory1,initiator=0)
# What firmware says: the CPUs read the second node four times as fast.
bandwidths=(-numa hmat-lb,initiator=0,target=0,hierarchy=memory,data-type=access-latency,latency=10
  -numa hmat-lb,initiator=0,target=0,hierarchy=memory,data-type=access-bandwidth,bandwidth=10G
  -numa hmat-lb,initiator=0,target=1,hierarchy=memory,data-type=access-latency,latency=10
  -numa hmat-lb,initiator=0,target=1,hierarchy=memory,data-type=access-bandwidth,bandwidth=40G)
# The host's files, among them its MPI, which the machine itself does not have.
host=(-virtfs local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap)

function enter_host {
  mkdir -p /host && mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000,ro,cache=loose host /host || complain "the host's files are not there"
  for folder in proc sys dev dev/shm tmp; do mount --bind "/$folder" "/host/$folder"; done
}
# `lies_on NODE GIVEN WISH`: a part of a window of one rank, which MPICH needs no launcher for.
function lies_on { expect_status 0 timeout -k 5 "$patience" chroot /host "$WINDOW_POLICY" "$2" "$3" "$1"; }

a_window_lies_on_the_memory_node_that_its_process_was_given() {
  in_a_machine "${FUNCNAME[0]}" -machine hmat=on "${two_memory_nodes[@]}" "${host[@]}"
  enter_host
  lies_on 1 1 near
  lies_on 1 none 1
  lies_on 0 1 0
  lies_on 0 none fast # no firmware tells of one
}
high_bandwidth_memory_that_the_firmware_tells_of_is_found() {
  in_a_machine "${FUNCNAME[0]}" -machine hmat=on "${two_memory_nodes[@]}" "${bandwidths[@]}" "${host[@]}"
  enter_host
  lies_on 1 none fast
  lies_on 0 none near
}
blocks_of_the_heap_lie_where_their_hints_say() {
  in_a_machine "${FUNCNAME[0]}" -machine hmat=on "${two_memory_nodes[@]}" "${bandwidths[@]}"
  local segment
  for segment in memfd sysv; do
    export ATRIUM_SEGMENT=$segment
    expect_status 0 oshrun -n 1 "$PLACED" none 0
    expect_status 0 oshrun -n 1 "$PLACED" spread both
    expect_status 0 oshrun -n 2 "$PLACED" fast 1
  done
}
