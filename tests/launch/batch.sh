# oshrun within jobs of batch systems that list their hosts in a file, with an agent that only pretends to reach them.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317  # PEs expand their own variables; cases are called by name

# in_batch_job VARIABLE LINE...: the variable names a file of these lines.
function in_batch_job {
  printf '%s\n' "${@:2}" >"$scratch/nodes"
  printf '#!/bin/sh\nshift\nexec "$@"\n' >"$scratch/reach"; chmod +x "$scratch/reach"
  export "$1=$scratch/nodes" ATRIUM_AGENT=$scratch/reach
  unset ATRIUM_NODES
}

each_batch_system_says_hosts_and_pes() {
  for variable in PBS_NODEFILE LSB_DJOB_HOSTFILE OAR_NODEFILE; do
    (in_batch_job $variable n1.cluster n1.cluster n2.cluster; expect_pes '0@n1.cluster 1@n1.cluster 2@n2.cluster') || exit 1
  done
  in_batch_job PE_HOSTFILE 'n1 2 all.q@n1 UNDEFINED' 'n2 1 all.q@n2 UNDEFINED'; expect_pes '0@n1 1@n1 2@n2'
  expect [ ! -s "$scratch/err" ]
}
the_command_line_wins_over_the_batch_job() {
  in_batch_job PBS_NODEFILE n1 n2
  expect_pes '0@n1 1@n2'
  expect_pes '0@n1 1@n1 2@n2 3@n2' -n 4
  expect_pes '0@n3 1@n3' -n 2 --hosts n3
  expect_status 0 oshrun -n 2 --hosts localhost echo PE; expect [ "$(wc -l <"$scratch/out")" = 2 ]
  expect_status 0 oshrun -n 2 --nodes 2 echo PE; expect [ "$(wc -l <"$scratch/out")" = 2 ]
}
a_batch_job_on_this_host_alone_needs_no_agent() {
  in_batch_job PBS_NODEFILE "$(uname -n)" "$(uname -n)"
  expect_status 0 oshrun --agent /no/agent echo PE; expect [ "$(wc -l <"$scratch/out")" = 2 ]
}
hosts_of_a_batch_job_that_cannot_be_read_leave_this_host() {
  export PBS_NODEFILE=$scratch/none
  expect_status 0 env -u ATRIUM_QUIET "$BUILD_TREE/bin/oshrun" --oversubscribe -n 2 echo PE; expect [ "$(wc -l <"$scratch/out")" = 2 ]
  expect grep -q 'note: this host alone is used: the hosts of the PBS job are in PBS_NODEFILE, and oshrun cannot read' "$scratch/err"
}
