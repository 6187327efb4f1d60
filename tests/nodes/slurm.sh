# Slurm itself, on hosts made of namespaces: PEs that srun starts, and oshrun within an allocation.
# SPDX-License-Identifier: BSD-3-Clause
# tests/launch/slurm.sh has what can be seen without it.
. "$(dirname -- "$1")/hosts.sh"
soon=60  # seconds: Slurm's daemons and the PEs start on the CPUs of one machine

# A controller on the first of two hosts, and a slurmd on each. Nobody is asked who he is (auth/none: no munge), and no cgroups
# are needed. What the hosts share is this machine's file system, so that each has its own folder for what it keeps.
function with_slurm {
  local program host name
  PATH=$PATH:/usr/sbin:/sbin
  for program in slurmctld slurmd srun salloc scontrol; do need $program; done
  on_hosts 2 "$1"
  slurm=$scratch/slurm
  export SLURM_CONF=$slurm/slurm.conf
  mkdir -p "$slurm/state"
  echo CgroupPlugin=cgroup/v1 >"$slurm/cgroup.conf"
  echo PMIxCliTmpDirBase=/dev/shm >"$slurm/mpi.conf"
  printf '%s\n' ClusterName=test "SlurmctldHost=host1(${hosts[0]})" AuthType=auth/none CredType=cred/none SlurmUser=root SlurmdUser=root \
    "StateSaveLocation=$slurm/state" "SlurmdSpoolDir=$slurm/%n" "SlurmctldPidFile=$slurm/controller.pid" "SlurmdPidFile=$slurm/%n.pid" \
    "SlurmctldLogFile=$slurm/controller.log" "SlurmdLogFile=$slurm/%n.log" ProctrackType=proctrack/linuxproc TaskPlugin=task/none \
    JobAcctGatherType=jobacct_gather/none SelectType=select/cons_tres SelectTypeParameters=CR_CPU SchedulerType=sched/builtin \
    SlurmdParameters=config_overrides MailProg=/bin/true KillWait=2 "NodeName=host1 NodeAddr=${hosts[0]} CPUs=4" \
    "NodeName=host2 NodeAddr=${hosts[1]} CPUs=4" 'PartitionName=all Nodes=ALL Default=YES' >"$SLURM_CONF"
  # Without the mark of what a case must not leave behind.
  env -u CASE_MARK slurmctld -D >"$slurm/controller.out" 2>&1 &
  for host in 1 2; do
    env -u CASE_MARK "$HOST_AGENT" "${hosts[host - 1]}" "mkdir $slurm/host$host; SLURM_CONF=$SLURM_CONF exec $(command -v slurmd) -D -N host$host" \
      >"$slurm/host$host.out" 2>&1 &
  done
  local deadline=$((SECONDS + 20))
  until sinfo -h -o '%D %t' 2>/dev/null | grep -qx '2 idle'; do
    [ $SECONDS -lt $deadline ] || skip "Slurm does not start here: $(grep -h 'error\|fatal' "$slurm"/*.out | tail -n 1)"
    sleep 0.1
  done
}
# What salloc tells its command, for this shell.
function allocate {
  env -u CASE_MARK salloc -Q "$@" sh -c 'export -p | grep " SLURM_" >"$0.some"; mv "$0.some" "$0"; exec sleep 1000' "$scratch/job" \
    >"$scratch/salloc" 2>&1 &
  expect_soon [ -e "$scratch/job" ]
  . "$scratch/job"
}
function has_pmix { srun --mpi=list 2>&1 | grep -q pmix || skip "this Slurm has no PMIx"; }
function no_steps { [ -z "$(squeue -h -s)" ]; }
function nothing_runs { none_of "^$SEAT" && none_of be-agent && none_of end-agent; }

srun_starts_the_pes_by_itself() {
  with_slurm "${FUNCNAME[0]}"
  has_pmix
  local other status
  expect_status 0 timeout 60 srun --mpi=pmix -N 2 --ntasks-per-node=2 "$PLACEMENT" 0 0 1 1
  expect_status 0 timeout 60 srun --mpi=pmix -N 2 -n 5 -m plane=3 --overcommit "$OPERATIONS"
  expect_status 0 timeout 60 srun --mpi=pmix -N 2 --ntasks-per-node=2 -m cyclic "$PLACEMENT" 0 1 0 1
  for other in none pmi2; do
    expect_status 1 timeout 60 srun --mpi=$other -N 2 --ntasks-per-node=2 "$PLACEMENT" 0 0 1 1
    expect grep -q 'because: srun without --mpi=pmix' "$scratch/err"
  done
  # The status is Slurm's choice between the task that failed and one that it has ended then.
  timeout 60 srun --mpi=pmix --kill-on-bad-exit=1 -N 2 -n 2 sh -c '[ "$SLURM_PROCID" = 0 ] || exit 7; exec "$0" 0 1' "$PLACEMENT" >"$scratch/out" 2>"$scratch/err"
  status=$?; expect [ $status != 0 ]; expect [ $status != 124 ]; expect grep -q 'Exited with exit code 7' "$scratch/err"
  expect_soon none_of "^$PLACEMENT"
}
# Slurm's plugin of PMIx sees that a PE is gone that has not said goodbye, whatever srun thinks of statuses.
a_pe_that_ends_by_itself_ends_the_job_of_srun() {
  with_slurm "${FUNCNAME[0]}"
  has_pmix
  for nodes in 1 2; do
    timeout 60 srun --mpi=pmix -N $nodes --ntasks-per-node=2 --kill-on-bad-exit=0 "$MISTAKEN" >"$scratch/out" 2>"$scratch/err"
    status=$?; expect [ $status != 0 ]; expect [ $status != 124 ]; expect grep -q "PE number $((2 * nodes + 90)) does not exist" "$scratch/err"
    expect_soon none_of "^$MISTAKEN"
  done
  timeout 60 srun --mpi=pmix -N 2 --ntasks-per-node=2 --kill-on-bad-exit=0 "$RESTLESS" barrier >"$scratch/out" 2>"$scratch/err" &
  launcher=$!
  expect_soon endpoints_serve 4; pkill -KILL -o -x restless
  wait "$launcher"; status=$?; expect [ $status != 0 ]; expect [ $status != 124 ]; expect_soon none_of "^$RESTLESS"
}
# srun and its daemon on the other host wait for each other; no PE does.
a_network_that_is_cut_ends_the_pes_of_srun() {
  with_slurm "${FUNCNAME[0]}"
  has_pmix
  srun --mpi=pmix -N 2 --ntasks-per-node=2 "$RESTLESS" barrier >"$scratch/out" 2>"$scratch/err" &
  launcher=$!
  cut_when_served 4 0 1
  all_go_soon; expect is_told_unreachable
}
a_start_that_is_cut_ends_the_pes_of_srun() {
  with_slurm "${FUNCNAME[0]}"
  has_pmix
  srun --mpi=pmix -N 2 --ntasks-per-node=2 "$RESTLESS" barrier >"$scratch/out" 2>"$scratch/err" &
  launcher=$!
  expect_soon nodes_watch 2; cut 0 1; cut 1 0
  all_go_soon; expect is_told_unreachable
}
oshrun_takes_hosts_and_tasks_of_the_allocation() {
  with_slurm "${FUNCNAME[0]}"
  allocate -N 2 --ntasks-per-node=2
  expect_status 0 oshrun "$PLACEMENT" 0 0 1 1
  expect_status 0 oshrun -n 5 "$OPERATIONS"
  expect_status 0 oshrun -n 2 -N 1 "$PLACEMENT" 0 1
  expect_status 0 oshrun --hosts host2 sh -c 'hostname; pwd'; expect has_lines host2 2; expect has_lines "$PWD" 2
  # In a step, as shells of salloc are, whose variables are the step's.
  expect_status 0 timeout 60 srun --overlap -N 1 -n 1 -w host2 "$BUILD_TREE/bin/oshrun" "$PLACEMENT" 0 0 1 1
  expect_soon no_steps
}
an_allocation_without_this_host_is_reached_from_it() {
  with_slurm "${FUNCNAME[0]}"
  allocate -N 1 -n 2 -w host2
  expect_status 0 oshrun hostname; expect has_lines host2 2
}
an_uneven_allocation_is_taken_as_it_is() {
  with_slurm "${FUNCNAME[0]}"
  allocate -N 2 -n 3
  expect_status 0 oshrun -l sh -c 'echo here'
  expect [ "$(sed 's/.*@\(.*\)\].*/\1/' "$scratch/out" | sort | uniq -c | awk '{print $1, $2}' | tr '\n' ' ')" = '2 host1 1 host2 ' ]
}
a_batch_script_needs_no_flag() {
  with_slurm "${FUNCNAME[0]}"
  printf '#!/bin/sh\nexec "%s" -l "%s" 0 0 1 1\n' "$BUILD_TREE/bin/oshrun" "$PLACEMENT" >"$scratch/script"
  expect_status 0 timeout 60 sbatch -W -N 2 --ntasks-per-node=2 -o "$scratch/batch" "$scratch/script"
}
streams_pass_srun_unchanged() {
  with_slurm "${FUNCNAME[0]}"
  allocate -N 2 --ntasks-per-node=1
  export SLURM_LABELIO=1 SLURM_STDOUTMODE=none SLURM_STDINMODE=none MINE='a b'  # which srun would follow
  head -c 3000000 /dev/urandom >"$scratch/bytes"
  expect_status 0 oshrun --stdin 1 sh -c '[ "$ATRIUM_JOB_PE" = 0 ] || cat' <"$scratch/bytes"; expect cmp "$scratch/bytes" "$scratch/out"
  expect_status 0 oshrun -l sh -c 'echo "out of $MINE"; echo "err" >&2; printf tail'
  expect [ "$(sort "$scratch/out" | tr '\n' ' ')" = '[0@host1] out of a b [0@host1] tail [1@host2] out of a b [1@host2] tail ' ]
  expect grep -qx '\[1@host2\] err' "$scratch/err"
  expect [ "$(oshrun yes endless | head -n 1)" = endless ]; expect_soon none_of 'yes endless'
}
a_step_of_its_own_is_no_hindrance_and_all_cpus_are_the_agents() {
  with_slurm "${FUNCNAME[0]}"
  allocate -N 2 --ntasks-per-node=2
  env -u CASE_MARK srun -N 2 -n 4 sleep 1000 >/dev/null 2>&1 &
  expect_soon eval '! no_steps'
  export SLURM_EXACT=1 SRUN_CPUS_PER_TASK=1 SLURM_CPUS_PER_TASK=1
  expect_status 0 oshrun -n 1 --hosts host2 sh -c 'echo "$SLURM_CPUS_ON_NODE $SLURM_CPUS_PER_TASK"'; expect has_lines '2 1' 1
}
nothing_is_left_when_oshrun_or_srun_is_killed_or_the_job_cancelled() {
  with_slurm "${FUNCNAME[0]}"
  allocate -N 2 --ntasks-per-node=2
  local victim status
  for victim in oshrun srun agent interrupt job; do
    start_oshrun "$SEAT" register init print=ready hang >"$scratch/out" 2>"$scratch/err"
    expect_soon has_lines ready 4
    case $victim in
      oshrun) kill -KILL "$launcher" ;;
      srun) pkill -KILL -P "$launcher" -x srun ;;
      agent) kill -KILL "$(agent)" ;;
      interrupt) kill -TERM "$launcher" ;;
      job) scancel "$SLURM_JOB_ID" ;;
    esac
    wait "$launcher" 2>/dev/null; status=$?
    expect [ $status != 0 ]; expect_soon nothing_runs
    case $victim in
      srun) expect grep -q 'host host2 is lost' "$scratch/err"; expect grep -q 'srun was ended by signal 9' "$scratch/err" ;;
      agent) expect grep -Eq 'host host[12] is lost' "$scratch/err" ;;
      job) expect grep -Eq 'told to end|was ended by signal 15' "$scratch/err" ;;  # whom Slurm's signal reaches first
    esac
  done
}
what_slurm_refuses_is_told_with_its_reason() {
  with_slurm "${FUNCNAME[0]}"
  allocate -N 2 --ntasks-per-node=2
  SLURM_JOB_ID=777 expect_status 1 oshrun "$PLACEMENT" 0 0 1 1
  expect grep -q 'cannot start the agent on host host2' "$scratch/err"; expect grep -q 'because: srun ended with status 1: .*nvalid job' "$scratch/err"; expect grep -q 'try: .*squeue' "$scratch/err"
  SLURM_JOB_NODELIST=host1,host3 expect_status 1 oshrun "$PLACEMENT" 0 0 1 1
  expect grep -q 'because: srun ended with status 1: srun: error: Unable to create step' "$scratch/err"
  expect_status 2 oshrun --agent srun --hosts host1,host3 true; expect grep -q 'try salloc -w host3' "$scratch/err"
  expect_status 1 oshrun --remote-oshrun /no/oshrun true; expect grep -q 'try: .*installing Atrium there' "$scratch/err"
  expect_status 127 oshrun -n 4 ./no-such-program; expect grep -q "cannot find the program './no-such-program' on host[12]" "$scratch/err"
  expect_soon nothing_runs
}
