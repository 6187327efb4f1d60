# oshrun within a Slurm job, with an srun and an scontrol that only pretend: tests/nodes/slurm.sh has the real ones.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317  # PEs expand their own variables; cases are called by name

# An srun that runs its command here, for the nodes that it knows; it notes its words, and variables that it would follow.
function in_slurm_job {
  mkdir -p "$scratch/bin"
  cat >"$scratch/bin/srun" <<'END'
#!/bin/bash
echo "$*" >>"$SRUN_LOG"
env | grep '^SLURM_\(LABELIO\|EXACT\|CPUS_PER_TASK\)=' >>"$SRUN_LOG.variables"
while [ "$1" != -w ]; do shift; done
case $2 in
  n[0-9]*) shift 2; exec env -u SLURMD_NODENAME "$@" ;;
  busy) echo 'srun: Job 7 step creation temporarily disabled, retrying (Requested nodes are busy)' >&2; exec sleep 1000 ;;
esac
printf 'srun: error: Unable to create step for job 7: %s\nsrun: error: %s: task 0: Exited with exit code 1\n' 'Invalid node name specified' "$2" >&2
exit 1
END
  cat >"$scratch/bin/scontrol" <<'END'
#!/bin/bash
echo "$*" >>"$SRUN_LOG.scontrol"
[ "$1 $2" = 'show hostnames' ] || exit 9
case $3 in
  'n[1-3]') printf 'n1\nn2\nn3\n' ;;
  'n[01-02,7],x') printf 'n01\nn02\nn7\nx\n' ;;
  *) echo "scontrol: error: Invalid hostlist: $3" >&2; exit 1 ;;
esac
END
  chmod +x "$scratch/bin/srun" "$scratch/bin/scontrol"
  export PATH=$scratch/bin:$PATH SRUN_LOG=$scratch/log SLURM_JOB_ID=7 SLURM_JOB_NODELIST="$1" SLURM_TASKS_PER_NODE="$2"
  unset SLURM_STEP_NUM_TASKS SLURM_JOB_CPUS_PER_NODE SLURMD_NODENAME ATRIUM_AGENT ATRIUM_NODES
}
function says { grep -q -- "$1" "$scratch/err"; }
function pes_are { expect [ "$(sort "$scratch/out" | tr '\n' ' ')" = "$* " ]; }
function srun_was_not_asked { expect [ ! -e "$SRUN_LOG" ]; }

a_slurm_job_says_hosts_and_pes() {
  in_slurm_job 'n[1-3]' '2(x2),1'
  expect_pes '0@n1 1@n1 2@n2 3@n2 4@n3'; expect [ "$(grep -c ' -w n[123] ' "$SRUN_LOG")" = 3 ]
  expect grep -q 'of 5$' "$scratch/out"; expect [ ! -s "$scratch/err" ]
}
the_command_line_wins_over_the_slurm_job() {
  in_slurm_job 'n[1-3]' '2(x2),1'
  expect_pes '0@n1 1@n1 2@n2' -n 3
  expect_pes '0@n1 1@n2 2@n3' -N 1
  expect_pes '0@n1 1@n2' -n 2 --map-by node
  expect_pes '0@n1 1@n2 2@n3 3@n1 4@n2' --map-by node
  expect_pes '0@n3 1@n3' -n 2 --hosts n3
}
one_host_alone_is_asked_for_by_its_name() {
  in_slurm_job 'n[1-3]' '2(x2),1'
  expect_status 0 oshrun --hosts localhost -n 2 -l sh -c 'echo of $ATRIUM_JOB_PES'; pes_are '[0] of 2' '[1] of 2'
  expect_status 0 oshrun --nodes 2 -n 2 -l sh -c 'echo of $ATRIUM_JOB_PES'; pes_are '[0] of 2' '[1] of 2'
  srun_was_not_asked
}
another_agent_wins_over_srun() {
  in_slurm_job 'n[1-3]' '1(x3)'
  printf '#!/bin/sh\necho "$1" >>"%s"\nshift\nexec "$@"\n' "$scratch/reached" >"$scratch/reach"; chmod +x "$scratch/reach"
  expect_pes '0@n1 1@n2 2@n3' --agent "$scratch/reach"
  ATRIUM_AGENT=$scratch/reach expect_pes '0@n1 1@n2' --hosts n1,n2
  expect [ "$(sort "$scratch/reached" | tr '\n' ' ')" = 'n1 n1 n2 n2 n3 ' ]
  srun_was_not_asked
}
hosts_of_the_job_are_reached_by_srun_as_slurm_calls_them() {
  in_slurm_job 'n[01-02,7],x' '1(x4)'
  expect_pes '0@n7 1@n01' --hosts n7.cluster.example,n01 -n 2
  expect_pes '0@n7 1@n01' --hosts n7,n01 --agent srun
  expect_pes '0@n7 1@n01' --hosts n7,n01 --agent "$scratch/bin/srun"
  expect [ "$(grep -c ' -w n7 ' "$SRUN_LOG")" = 3 ]
}
a_plain_list_needs_no_scontrol() {
  in_slurm_job n1,n2 '1,2'
  expect_pes '0@n1 1@n2 2@n2'; expect [ ! -e "$SRUN_LOG.scontrol" ]
}
a_job_of_this_host_needs_no_srun() {
  in_slurm_job "$(uname -n)" 3
  expect_status 0 oshrun -l sh -c 'echo of $ATRIUM_JOB_PES'; pes_are '[0] of 3' '[1] of 3' '[2] of 3'
  in_slurm_job n1 2; export SLURMD_NODENAME=n1
  expect_status 0 oshrun -l sh -c 'echo of $ATRIUM_JOB_PES'; pes_are '[0] of 2' '[1] of 2'
  srun_was_not_asked
}
hosts_that_get_no_pe_are_not_reached() {
  in_slurm_job 'n[1-3]' '2(x2),1'
  expect_pes '0@n1 1@n1 2@n2' -n 3; expect [ "$(grep -c ' -w n[12] ' "$SRUN_LOG")" = 2 ]; expect [ "$(grep -c ' -w n3 ' "$SRUN_LOG")" = 0 ]
  in_slurm_job "$(uname -n),n2" '2,1'; rm "$SRUN_LOG"
  expect_status 0 oshrun -n 2 -l sh -c 'echo of $ATRIUM_JOB_PES'; pes_are '[0] of 2' '[1] of 2'
  expect_status 0 oshrun -n 1 --hosts localhost,unreachable.invalid sh -c 'echo of $ATRIUM_JOB_PES'; pes_are 'of 1'
  srun_was_not_asked
}
# A shell that srun has started on one host of several.
tasks_of_a_step_are_not_those_of_the_job() {
  in_slurm_job 'n[1-3]' 1; export SLURM_JOB_CPUS_PER_NODE='1(x2),2' SLURM_STEP_NUM_TASKS=1
  expect_pes '0@n1 1@n2 2@n3 3@n3'
}
each_of_several_oshruns_runs_a_job_of_its_own() {
  in_slurm_job 'n[1-3]' '2(x2),1'; export SLURM_STEP_NUM_TASKS=5
  expect_status 0 timeout 60 "$BUILD_TREE/bin/oshrun" -n 2 -l sh -c 'echo of $ATRIUM_JOB_PES'; pes_are '[0] of 2' '[1] of 2'
  expect says 'note: srun has started 5 oshruns'
  srun_was_not_asked
}
srun_gets_a_step_for_an_agent_and_no_secret() {
  in_slurm_job 'n[1-3]' '1(x3)'; export SLURM_LABELIO=1 SLURM_EXACT=1 SLURM_CPUS_PER_TASK=4 PASSWORD=confidential
  expect_status 0 oshrun -x PASSWORD sh -c 'echo $SLURM_CPUS_PER_TASK $PASSWORD'; pes_are '4 confidential' '4 confidential' '4 confidential'
  expect [ "$(grep -c -- '--overlap .*--mem=0 .*--unbuffered .* -w n[123] /[^ ]*/oshrun --be-agent [0-9.]*$' "$SRUN_LOG")" = 3 ]
  expect [ ! -s "$SRUN_LOG.variables" ]; expect [ "$(grep -c confidential "$SRUN_LOG")" = 0 ]
}
what_srun_says_is_the_reason() {
  in_slurm_job gone,n2 1,1
  expect_status 1 oshrun true; expect says 'cannot start the agent on host gone'
  expect says 'because: srun ended with status 1: srun: error: Unable to create step for job 7: Invalid node name specified$'
  expect says "try: .*'srun --overlap -N1 -n1 -w gone true' by hand; squeue says"
}
# It takes these seconds.
a_step_that_slurm_keeps_waiting_is_given_up_with_its_reason() {
  in_slurm_job busy 1
  expect_status 1 oshrun true; expect says 'has not answered for 30 seconds: srun: Job 7 step creation temporarily disabled'
}
what_is_missing_is_named_with_what_to_try() {
  in_slurm_job 'n[1-3]' '1(x3)'; mkdir "$scratch/empty"
  expect_status 2 env PATH="$scratch/empty" "$BUILD_TREE/bin/oshrun" true
  expect says "cannot tell the hosts of this Slurm job (SLURM_JOB_NODELIST=n\[1-3\]): cannot find the program 'scontrol'"; expect says 'try scontrol in PATH'
  in_slurm_job n1,n2 1,1
  expect_status 1 env PATH="$scratch/empty" "$BUILD_TREE/bin/oshrun" true; expect says "cannot reach host n1"; expect says "cannot find the program 'srun'"
  in_slurm_job 'n[' 1
  expect_status 2 oshrun true; expect says 'scontrol failed with status 1'; expect says -- '--hosts A,B'
}
hosts_that_are_not_the_jobs_are_refused_by_srun() {
  in_slurm_job 'n[1-3]' '1(x3)'
  expect_status 2 oshrun --agent srun --hosts n1,n9 true
  expect says 'cannot reach host n9 by srun: the hosts of this Slurm job are n\[1-3\]; try salloc -w n9, or --agent ssh'
  unset SLURM_JOB_ID
  expect_status 2 oshrun --agent srun --hosts n1,n2 true; expect says 'srun reaches the hosts of a Slurm job, and this is none'; expect says "try 'salloc -N 2 oshrun"
  srun_was_not_asked
}
# ssh, which is not asked for more here than to be the one that fails.
hosts_that_are_not_the_jobs_are_reached_by_ssh() {
  in_slurm_job 'n[1-3]' '1(x3)'
  printf '#!/bin/sh\necho "no ssh today" >&2; exit 255\n' >"$scratch/bin/ssh"; chmod +x "$scratch/bin/ssh"
  expect_status 1 oshrun --hosts n9.invalid true; expect says 'ssh ended with status 255: no ssh today'
  srun_was_not_asked
}
recording_a_job_over_hosts_is_refused_with_what_to_try() {
  in_slurm_job 'n[1-3]' '1(x3)'
  expect_status 2 oshrun --profile true; expect says 'try one host (--hosts localhost)'
}
