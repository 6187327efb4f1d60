# One program under other launchers, and under none.
# SPDX-License-Identifier: BSD-3-Clause

# Open MPI's mpirun, whichever name the distribution gives it; skips the case where there is none.
function need_openmpi {
  openmpi=$(command -v mpirun.openmpi || command -v mpirun) && "$openmpi" --allow-run-as-root --version 2>/dev/null | grep -qE 'Open MPI|OpenRTE' ||
    { echo "Open MPI is not installed"; exit 77; }
}
# (libpmix leaks a little, which a leak sanitizer would report as ours.)
function mpirun { ASAN_OPTIONS=detect_leaks=0 timeout -k 5 60 "$openmpi" --allow-run-as-root --oversubscribe "$@"; }

alone_it_is_one_pe() { expect_status 0 "$ROLL_CALL"; expect grep -qx '1 PEs, 1 counted' "$scratch/out"; }

mpirun_makes_one_job_of_all_ranks() {
  need_openmpi
  for pes in 1 2 4 7; do
    expect_status 0 mpirun -n $pes "$ROLL_CALL"; expect grep -qx "$pes PEs, $pes counted" "$scratch/out"
  done
}

mpirun_serves_every_kind_of_segment() {
  need_openmpi
  for kind in memfd posix sysv; do
    ATRIUM_SEGMENT=$kind expect_status 0 mpirun -n 3 "$ROLL_CALL"; expect grep -qx "3 PEs, 3 counted" "$scratch/out"
  done
}

two_mpiruns_at_once_are_two_jobs() {
  need_openmpi
  mpirun -n 2 "$ROLL_CALL" >"$scratch/one" & local one=$!
  expect_status 0 mpirun -n 3 "$ROLL_CALL"; expect grep -qx '3 PEs, 3 counted' "$scratch/out"
  expect wait $one; expect grep -qx '2 PEs, 2 counted' "$scratch/one"
}

hydra_is_an_error_that_names_oshrun() {
  local hydra; hydra=$(command -v mpiexec.hydra) || { echo "MPICH is not installed"; exit 77; }
  timeout 60 "$hydra" -n 2 "$ROLL_CALL" >"$scratch/out" 2>"$scratch/err"; local status=$?
  expect [ $status != 0 ]; expect grep -q 'oshrun -n 2' "$scratch/err"; expect [ ! -s "$scratch/out" ]
}

tasks_of_srun_without_pmix_are_an_error() {
  SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=4 expect_status 1 "$ROLL_CALL"; expect grep -q 'srun --mpi=pmix' "$scratch/err"
  # Slurm's PMI-2, which sets what MPICH's launcher does.
  export SLURM_STEP_NUM_TASKS=4 PMI_SIZE=4
  SLURM_PROCID=0 PMI_RANK=0 expect_status 1 "$ROLL_CALL"; expect grep -q 'because: srun without --mpi=pmix' "$scratch/err"
  unset SLURM_STEP_NUM_TASKS PMI_SIZE
}

a_batch_script_may_run_it_alone() { SLURM_NTASKS=4 SLURM_PROCID=0 expect_status 0 "$ROLL_CALL"; }

a_child_of_a_pe_is_a_job_of_its_own() {
  expect_status 0 oshrun -n 2 sh -c '"$ROLL_CALL" && unset ATRIUM_JOB_FD && "$ROLL_CALL"'
  expect [ "$(grep -cx '1 PEs, 1 counted' "$scratch/out")" = 2 ]; expect grep -qx '2 PEs, 2 counted' "$scratch/out"
}

an_mpi_program_uses_both() {
  need_openmpi
  local mpicc; mpicc=$(command -v mpicc.openmpi) || { echo "Open MPI's mpicc is not installed"; exit 77; }
  ! has_sanitizers || { echo "MPI is not built for sanitizers"; exit 77; }
  expect_status 0 "$mpicc" -I"$BUILD_TREE/include" "$SOURCE_TREE/tests/interop/mpi_and_shmem.c" -o "$scratch/both" \
    -L"$BUILD_TREE/lib" -Wl,-rpath,"$BUILD_TREE/lib" -latrium
  expect_status 0 mpirun -n 2 "$scratch/both"; expect grep -qx 'MPI and OpenSHMEM agree' "$scratch/out"
}
