# One program under other launchers, and under none.
# SPDX-License-Identifier: BSD-3-Clause

. "$SOURCE_TREE/tests/mpi/hosts/find_openmpi.sh"
function need_openmpi { find_openmpi || skip "Open MPI is not installed"; }
# (libpmix leaks a little, which a leak sanitizer would report as ours.)
function mpirun { ASAN_OPTIONS=detect_leaks=0 timeout -k 5 60 "$openmpi" --allow-run-as-root --oversubscribe "$@"; }

alone_it_is_one_pe() { expect_status 0 "$ROLL_CALL"; expect grep -qx '1 PEs, 1 counted' "$scratch/out"; }

mpirun_makes_one_job_of_all_ranks() {
  need_openmpi
  for pes in 1 2 4 7; do
    expect_status 0 mpirun -n $pes "$ROLL_CALL"; expect grep -qx "$pes PEs, $pes counted" "$scratch/out"
  done
}

ranks_that_have_lost_their_variables_are_told_of() {
  need_openmpi
  expect_status 0 mpirun -n 2 env -i "$ROLL_CALL"
  # Open MPI 5's mpirun becomes prterun.
  expect grep -qE 'note: this is a job of one PE: (mpirun|prterun).* variables were removed' "$scratch/err"
  expect_status 0 mpirun -n 1 "$ROLL_CALL"; expect [ "$(grep -c 'job of one PE' "$scratch/err")" = 0 ]
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

# Open MPI 5, whichever the distribution has.
function need_openmpi_5 {
  mpicc=$NEWER_MPIS/openmpi5/bin/mpicc openmpi=$NEWER_MPIS/openmpi5/bin/mpirun
  [ -e "$NEWER_MPIS/complete" ] || skip "Open MPI 5 and MPICH 5 cannot be had here, or ./atrium setup test has not asked for them"
}

# compile SOURCE PROGRAM FLAGS...: by Open MPI's compiler, $mpicc or that of the distribution.
function compile_for_mpi {
  local mpicc=${mpicc:-$(command -v mpicc.openmpi)}; [ -n "$mpicc" ] || skip "Open MPI's mpicc is not installed"
  ! has_sanitizers || skip "MPI is not built for sanitizers"
  expect_status 0 "$mpicc" -I"$SOURCE_TREE/include" "$1" -o "$scratch/$2" "${@:3}"
}
function compile_for_both { compile_for_mpi "$1" both "${@:2}" -L"$BUILD_TREE/lib" -Wl,-rpath,"$BUILD_TREE/lib" -latrium; }

function use_both_in_every_order {
  local order
  compile_for_both "$SOURCE_TREE/tests/interop/mpi_and_shmem.c"
  for order in "" shmem_first; do
    expect_status 0 mpirun -n 2 "$scratch/both" $order; expect grep -qx 'MPI and OpenSHMEM agree' "$scratch/out"
  done
  compile_for_both "$SOURCE_TREE/tests/interop/mpi_or_not.c" -DWITH_SHMEM
  for order in mpi_first mpi_last mpi_inside mpi_after; do
    expect_status 0 mpirun -n 2 "$scratch/both" $order; expect [ "$(grep -c 'rank 0 of 1' "$scratch/err")" = 0 ]
  done
}
mpi_and_shmem_start_and_end_in_every_order() {
  need_openmpi
  use_both_in_every_order
}
# Which asks PMIx who it is only where nobody has begun PMIx.
mpi_and_shmem_start_and_end_in_every_order_under_open_mpi_5() {
  need_openmpi_5
  use_both_in_every_order
}

# A program of MPI alone: the launcher sees what it is linked with.
ranks_that_oshrun_does_not_start_are_told_before() {
  compile_for_mpi "$SOURCE_TREE/tests/interop/mpi_or_not.c" alone
  OMPI_MCA_btl=self expect_status 0 timeout 100 "$BUILD_TREE/bin/oshrun" --oversubscribe -n 2 "$scratch/alone" mpi
  expect [ "$(grep -c 'try mpirun -n 2' "$scratch/err")" = 1 ]
  expect_status 0 "$BUILD_TREE/bin/oshrun" -q -n 2 "$scratch/alone"; expect [ ! -s "$scratch/err" ]
  expect_status 0 "$BUILD_TREE/bin/oshrun" -n 1 "$scratch/alone"; expect [ ! -s "$scratch/err" ]
  expect_status 0 "$BUILD_TREE/bin/oshrun" --oversubscribe -n 2 true; expect [ ! -s "$scratch/err" ]
}
# A program of both: the library sees whether MPI was started.
ranks_that_oshrun_does_not_start_are_told_by_pe_0() {
  compile_for_both "$SOURCE_TREE/tests/interop/mpi_or_not.c" -DWITH_SHMEM
  local way
  for way in mpi_first mpi_last mpi_inside; do
    expect_status 0 "$BUILD_TREE/bin/oshrun" --oversubscribe -n 2 "$scratch/both" $way
    expect [ "$(grep -c "try Open MPI's mpirun -n 2" "$scratch/err")" = 1 ]
  done
  expect_status 0 "$BUILD_TREE/bin/oshrun" --oversubscribe -n 2 "$scratch/both" none; expect [ ! -s "$scratch/err" ]
  expect_status 0 "$BUILD_TREE/bin/oshrun" -n 1 "$scratch/both" mpi_first; expect [ ! -s "$scratch/err" ]
}
