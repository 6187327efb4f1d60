# Programs that know nothing of the library: their own checks pass with it in front of their MPI, and its report proves that it was.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_TREE/tests/mpi/crowded.sh"
export ATRIUM_REPORT=1 ATRIUM_ALLTOALL=always ATRIUM_ALLREDUCE=always ATRIUM_BCAST=always ATRIUM_BARRIER=always

function need { [ -n "${!1:-}" ] || { echo "$2"; exit 77; }; }
# with MPI RANKS PROGRAM...: in a build with sanitizers their run-time library has to come first.
function with {
  command -v "mpirun.$1" >/dev/null || { echo "mpirun.$1 is not installed"; exit 77; }
  ! grep -q __asan_init "$BUILD_TREE/lib/libatrium-mpi-$1.so" || { echo "a program without sanitizers cannot load a library with them"; exit 77; }
  local yielding=$BUILD_TREE/tests/mpi/libyielding.so
  [ "$1" = mpich ] && [ -e "$yielding" ] || yielding=
  LD_PRELOAD=$yielding expect_status 0 timeout -k 5 100 "$BUILD_TREE/bin/atrium-mpi" "mpirun.$1" -n "$2" "${@:3}"
}
# calls ROUTINE: how many the report says were made, and made by the library, in all classes of size.
function calls {
  sed -nE "s,^atrium: .* $1 +(to [0-9]+ [KMGT]?i?B|any size|-) +([0-9]+) +([0-9]+) .*,\\2 \\3,p" "$scratch/err" | awk '{ all += $1; own += $2 } END { print all + 0, own + 0 }'
}
function went_through_the_library { expect [ "$(calls "$1" | sed 's/.* //')" != 0 ]; }

# fortran_exchanges MPI BINDING ALLTOALL OTHERS: so many calls of MPI_Alltoall, and of MPI_Alltoallv and MPI_Alltoallw, does the
# program make. The others, one of each in three rounds and a sum, are counted on one node.
function fortran_exchanges {
  local mpi=$1 program=EXCHANGES_${2^^}_${1^^} ranks
  need "$program" "there is no Fortran compiler for $mpi"
  for ranks in 3 4; do
    ATRIUM_NODE_RANKS=$((ranks / 2)) with "$mpi" $ranks "${!program}"; expect grep -q '^every exchange was right' "$scratch/out"
    expect [ "$(calls alltoall)" = "$3 $3" ]; expect [ "$(calls alltoallv/w)" = "$4 $4" ]
    with "$mpi" $ranks "${!program}"
    expect [ "$(calls allreduce)" = '4 4' ]; expect [ "$(calls bcast)" = '3 3' ]; expect [ "$(calls barrier)" = '3 3' ]
  done
}

small_broadcasts_are_the_mpis_unless_ours_are_asked_for() {
  need EXCHANGES_MPIF_OPENMPI "there is no Fortran compiler for openmpi"
  ATRIUM_BCAST=auto with openmpi 4 "$EXCHANGES_MPIF_OPENMPI"
  expect [ "$(calls bcast)" = '0 0' ]; expect [ "$(calls allreduce)" = '4 4' ]
}
fortran_mpif_h_of_openmpi_is_intercepted() { fortran_exchanges openmpi mpif 6 15; }
fortran_use_mpi_of_openmpi_is_intercepted() { fortran_exchanges openmpi mpi 6 15; }
fortran_use_mpi_f08_of_openmpi_is_intercepted() { fortran_exchanges openmpi f08 9 21; }
fortran_mpif_h_of_mpich_is_intercepted() { fortran_exchanges mpich mpif 6 15; }
fortran_use_mpi_of_mpich_is_intercepted() { fortran_exchanges mpich mpi 6 15; }
fortran_use_mpi_f08_of_mpich_is_intercepted() {
  # That of 4.0 by gfortran 11 ends in any program.
  ! mpirun.mpich -n 1 "${EXCHANGES_F08_MPICH:-}" 2>&1 | grep -q 'Invalid type in descriptor' || { echo "this MPI has no mpi_f08 that works"; exit 77; }
  fortran_exchanges mpich f08 6 18
}

# The report has the barrier of the callback in MPI_Finalize, but not those on communicators that are being freed: they are the MPI's.
function fortran_callbacks {
  local mpi=$1 program=CALLBACKS_${2^^}_${1^^}
  need "$program" "there is no Fortran compiler for $mpi"
  with "$mpi" 3 "${!program}"; expect [ "$(calls barrier)" = '7 7' ]
}
callbacks_through_use_mpi_of_openmpi_may_call_collectives() { fortran_callbacks openmpi mpi; }
callbacks_through_use_mpi_of_mpich_may_call_collectives() { fortran_callbacks mpich mpi; }
callbacks_through_use_mpi_f08_of_openmpi_may_call_collectives() { fortran_callbacks openmpi f08; }
callbacks_through_use_mpi_f08_of_mpich_may_call_collectives() { fortran_callbacks mpich f08; }

# Debian builds FFTW's MPI library for Open MPI alone; MPICH has the pencils below, around the serial FFTW.
fftws_transposes_are_right() {
  need FFTW_MPI_OPENMPI "FFTW's MPI library is not installed"
  for ranks in 1 2 4; do
    ATRIUM_NODE_RANKS=2 with openmpi $ranks "$FFTW_MPI_OPENMPI"; expect grep -q "FFTW's transposes and transforms are right" "$scratch/out"
  done
  expect [ "$(calls 'alltoall(v.w)?')" != '0 0' ]
}

function pencils {
  local mpi=$1 program=PENCIL_FFT_${1^^}
  need "$program" "FFTW is not installed"
  with "$mpi" 1 "${!program}" 8 6 10 1 1 2; with "$mpi" 3 "${!program}" 32 24 20 3 1 2; went_through_the_library alltoallv/w
  with "$mpi" 4 "${!program}" 5 3 2 4 1 2; expect grep -q 'it agrees with the serial transform' "$scratch/out"
  ATRIUM_NODE_RANKS=2 with "$mpi" 4 "${!program}" 9 7 8 2 2 2; expect grep -q 'it agrees with the serial transform' "$scratch/out"
  expect grep -qE 'unnamed +2 +1 alltoallv' "$scratch/err"; expect grep -qE 'unnamed +2 +2 alltoallv' "$scratch/err"  # a row, a column
}
pencils_agree_with_the_serial_transform_under_openmpi() { pencils openmpi; }
pencils_agree_with_the_serial_transform_under_mpich() { pencils mpich; }

# Two ranks with MPICH, which spins: with more ranks than cores its own part of these tests takes minutes.
function mpi4py_tests {
  local mpi=$1 ranks=$2 folder=$BUILD_TREE/tests/mpi/mpi4py
  "$SOURCE_TREE/tests/mpi/clients/mpi4py.sh" "$folder" || exit $?
  export MPI4PY_MPIABI=$mpi LD_LIBRARY_PATH=$folder/abi
  with "$mpi" "$ranks" "$folder/python/bin/python" "$folder/tests/main.py" -q -f -i 'cco_(buf|vec|obj)(_inter)?' \
    -k lltoall -k llreduce -k cast -k arrier
  expect [ "$(grep -o OK "$scratch/err" | wc -l)" = "$ranks" ]  # words, not lines: mpirun mixes its ranks' words in one line
}
mpi4pys_own_tests_pass_with_openmpi() {
  mpi4py_tests openmpi 3; went_through_the_library alltoall; went_through_the_library alltoallv/w
  went_through_the_library allreduce; went_through_the_library bcast; went_through_the_library barrier
}
# There it calls the routines for MPI 4's large counts, MPI_Alltoallv_c and the like.
mpi4pys_own_tests_pass_with_mpich() {
  mpi4py_tests mpich 2; went_through_the_library alltoall; went_through_the_library alltoallv/w
  went_through_the_library allreduce; went_through_the_library bcast; went_through_the_library barrier
}
