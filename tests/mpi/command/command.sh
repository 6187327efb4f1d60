# The command atrium-mpi: which library it chooses, how it reaches the ranks, and what it says when it cannot.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_TREE/tests/mpi/crowded.sh"
. "$SOURCE_TREE/tests/mpi/hosts/find_openmpi.sh"

# (A sanitizer's run-time library wants to be loaded before all others.)
function need {
  command -v "$1" >/dev/null || { echo "$1 is not installed"; exit 77; }
  ! has_sanitizers || { echo "a library with a sanitizer cannot be preloaded"; exit 77; }
}
function atrium_mpi { timeout -k 5 60 "$BUILD_TREE/bin/atrium-mpi" "$@"; }
# said COUNT LINE: so many lines of the output end with this.
function said { expect [ "$(grep -c -- "$2\$" "$scratch/out")" = "$1" ]; }
function need_mpich {
  need mpiexec.hydra
  [ -n "${WHICH_MPICH:-}" ] || { echo "this MPICH starts each rank as a job of its own"; exit 77; }
}
function both_mpis { need mpirun.openmpi; need_mpich; }
function newer_mpis { [ -n "${TIMES_ABI:-}" ] || { echo "Open MPI 5 and MPICH 5 cannot be had here"; exit 77; }; both_mpis; }
function four_parts { expect [ "$(grep -cE '^(atrium-mpi: |  because: |  while:   |  try:     )' "$scratch/err")" = 4 ]; }

every_launcher_gets_the_library_of_its_mpi() {
  both_mpis
  for launcher in mpirun.openmpi mpiexec.openmpi orterun; do
    [ $launcher != orterun ] || command -v orterun >/dev/null || continue  # version 5 has none
    expect_status 0 atrium_mpi $launcher -n 2 "$WHICH_OPENMPI"; said 2 '2 ranks, MPI_Alltoall of libatrium-mpi-openmpi.so, .*'
  done
  for launcher in mpirun.mpich mpiexec.mpich mpiexec.hydra; do
    expect_status 0 atrium_mpi $launcher -n 2 "$WHICH_MPICH"; said 2 '2 ranks, MPI_Alltoall of libatrium-mpi-mpich.so, .*'
  done
}

mpirun_is_whichever_the_distribution_chose() {
  need mpirun
  local program=${WHICH_MPICH:-}
  if is_of_openmpi mpirun; then program=$WHICH_OPENMPI; fi
  expect_status 0 atrium_mpi mpirun -n 2 "$program"; said 2 '2 ranks, MPI_Alltoall of libatrium-mpi-.*'
}

an_mpirun_with_another_name_is_asked_what_it_is() {
  both_mpis
  printf '#!/bin/sh\n[ "$1" != --version ] || { echo "mpirun (Open MPI) 4.1.4"; exit; }\nexec mpirun.openmpi "$@"\n' >"$scratch/mpirun"
  chmod +x "$scratch/mpirun"
  expect_status 0 atrium_mpi "$scratch/mpirun" -n 2 "$WHICH_OPENMPI"; said 2 'libatrium-mpi-openmpi.so, .*'
}

a_program_without_launcher_tells_its_mpi() {
  both_mpis
  expect_status 0 atrium_mpi "$WHICH_OPENMPI"; said 1 '1 ranks, MPI_Alltoall of libatrium-mpi-openmpi.so, .*'
  expect_status 0 atrium_mpi "$WHICH_MPICH"; said 1 '1 ranks, MPI_Alltoall of libatrium-mpi-mpich.so, .*'
}

an_unknown_launcher_is_judged_by_the_program() {
  need_mpich
  expect_status 0 atrium_mpi nice -n 1 "$WHICH_MPICH"; said 1 'libatrium-mpi-mpich.so, .*'
  expect_status 0 atrium_mpi --mpi=mpich sh -c "'$WHICH_MPICH'"; said 1 'libatrium-mpi-mpich.so, .*'
}

each_of_several_programs_gets_it() {
  both_mpis
  mpirun.openmpi -n 1 true : -n 2 true >/dev/null 2>&1 || skip "Open MPI's command of several programs does not start here"
  expect_status 0 atrium_mpi mpirun.openmpi -n 1 "$WHICH_OPENMPI" : -n 2 "$WHICH_OPENMPI"; said 3 '3 ranks, .*libatrium-mpi-openmpi.so, .*'
  expect_status 0 atrium_mpi mpiexec.hydra -n 1 "$WHICH_MPICH" : -n 2 "$WHICH_MPICH"; said 3 '3 ranks, .*libatrium-mpi-mpich.so, .*'
}

# Open MPI carries no variable to another host by itself, as this test's plain run shows.
other_hosts_get_library_and_settings() {
  both_mpis
  "$HOSTS" 2 true 2>"$scratch/err" || { echo "no namespaces here: $(tail -n 1 "$scratch/err")"; exit 77; }
  export ATRIUM_ALLTOALL=never
  local openmpi='mpirun.openmpi "${where[@]}" -n 2 --mca btl self,tcp' reach=". '$SOURCE_TREE/tests/mpi/hosts/openmpi.sh'; place_on_hosts 1"
  expect_status 0 "$HOSTS" 2 bash -c "$reach; LD_PRELOAD=libm.so.6 $openmpi sh -c 'echo \$(hostname) has \$LD_PRELOAD'"
  said 1 'host1 has libm.so.6'; said 1 'host2 has'
  expect_status 0 "$HOSTS" 2 bash -c "$reach; '$BUILD_TREE/bin/atrium-mpi' $openmpi '$WHICH_OPENMPI'"
  said 1 'host1: 2 ranks, .*libatrium-mpi-openmpi.so, ATRIUM_ALLTOALL=never'; said 1 'host2: 2 ranks, .*libatrium-mpi-openmpi.so, ATRIUM_ALLTOALL=never'
  expect_status 0 "$HOSTS" 2 sh -c "'$BUILD_TREE/bin/atrium-mpi' mpiexec.hydra -hosts \$HOST_LIST -n 2 -launcher ssh -launcher-exec \$HOST_AGENT '$WHICH_MPICH'"
  said 1 'host1: 2 ranks, .*libatrium-mpi-mpich.so, ATRIUM_ALLTOALL=never'; said 1 'host2: 2 ranks, .*libatrium-mpi-mpich.so, ATRIUM_ALLTOALL=never'
}

programs_of_the_standard_abi_get_its_library() {
  newer_mpis
  expect_status 0 atrium_mpi "$MPIRUN_MPICH5" -n 2 "$WHICH_ABI"; said 2 '2 ranks, MPI_Alltoall of libatrium-mpi-abi.so, .*'
  expect_status 0 atrium_mpi "$WHICH_ABI"; said 1 '1 ranks, MPI_Alltoall of libatrium-mpi-abi.so, .*'
  LD_LIBRARY_PATH=${MPIRUN_MPICH5%/bin/*}/lib expect_status 0 atrium_mpi --mpi=abi "$MPIRUN_MPICH5" -n 2 sh -c "'$WHICH_ABI'"; said 2 'libatrium-mpi-abi.so, .*'
  expect_status 0 atrium_mpi --show "$MPIRUN_OPENMPI5" -n 2 "$WHICH_ABI"; expect grep -q -- '-x LD_PRELOAD=[^ ]*/libatrium-mpi-abi.so ' "$scratch/out"
}

# What was built with Debian's MPIs, in front of today's: the binary interfaces are the same.
the_library_of_an_older_mpi_serves_a_newer_one() {
  newer_mpis
  export ATRIUM_ALLTOALL=always ATRIUM_REPORT=1
  expect_status 0 atrium_mpi "$MPIRUN_OPENMPI5" --oversubscribe -n 2 "$WHICH_OPENMPI5"; said 2 'libatrium-mpi-openmpi.so, .*'
  expect_status 0 atrium_mpi "$MPIRUN_OPENMPI5" --oversubscribe -n 2 "$TIMES_OPENMPI5" 3 8 256; every_byte_went_our_way
  expect_status 0 atrium_mpi "$MPIRUN_MPICH5" -n 2 "$WHICH_MPICH5"; said 2 'libatrium-mpi-mpich.so, .*'
  expect_status 0 atrium_mpi "$MPIRUN_MPICH5" -n 2 "$TIMES_MPICH5" 3 8 256; every_byte_went_our_way
  expect_status 0 atrium_mpi "$MPIRUN_MPICH5" -n 2 "$TIMES_ABI" 3 8 256; every_byte_went_our_way
}
function every_byte_went_our_way { expect grep -qx 'every byte was right' "$scratch/out"; expect grep -qE '^atrium: MPI_COMM_WORLD .* own ' "$scratch/err"; }

# A program that goes on without a rank that has died: our waits would be for that rank.
what_outlives_a_rank_is_left_to_the_mpi() {
  [ -n "${OUTLIVED:-}" ] || { echo "Open MPI 5 and MPICH 5 cannot be had here"; exit 77; }
  need env
  ATRIUM_REPORT=1 timeout -k 5 60 "$BUILD_TREE/bin/atrium-mpi" "$MPIRUN_OPENMPI5" --with-ft ulfm --oversubscribe -n 3 "$OUTLIVED" >"$scratch/out" 2>"$scratch/err"
  expect [ $? != 124 ]; said 2 'of 3 ranks, 2 go on'
}

the_exit_status_is_the_commands() {
  both_mpis
  expect_status 3 atrium_mpi mpirun.openmpi -n 1 "$WHICH_OPENMPI" 3
  expect_status 3 atrium_mpi mpiexec.hydra -n 1 "$WHICH_MPICH" 3
}

arguments_arrive_as_they_are() {
  need mpirun.openmpi
  expect_status 0 atrium_mpi mpirun.openmpi -n 1 printf '<%s>\n' 'a b' '' "it's" '*'
  expect diff "$scratch/out" <(printf '<%s>\n' 'a b' '' "it's" '*')
}

what_was_preloaded_stays_preloaded() {
  need mpirun.openmpi
  LD_PRELOAD=libm.so.6 expect_status 0 atrium_mpi mpirun.openmpi -n 1 sh -c 'echo "$LD_PRELOAD"'; said 1 '/libatrium-mpi-openmpi.so:libm.so.6'
}

show_prints_the_command() {
  need mpiexec.hydra
  expect_status 0 atrium_mpi --show mpiexec.hydra -n 2 "a program"
  expect grep -qE "^mpiexec.hydra -genv LD_PRELOAD [^ ]*/libatrium-mpi-mpich.so -n 2 'a program'\$" "$scratch/out"
}

help_and_version_are_answers() {
  expect_status 0 atrium_mpi --help; expect grep -q '^usage: atrium-mpi' "$scratch/out"; expect [ ! -s "$scratch/err" ]
  expect_status 0 atrium_mpi --version; expect grep -qE '^atrium-mpi: Atrium [0-9.]+$' "$scratch/out"
}

errors_say_what_to_try() {
  expect_status 2 atrium_mpi; four_parts
  expect_status 2 atrium_mpi --fast mpirun; four_parts; expect grep -q 'option --fast' "$scratch/err"
  expect_status 127 atrium_mpi no-such-launcher; four_parts; expect grep -q 'no-such-launcher' "$scratch/err"
  expect_status 1 atrium_mpi sleep 1; four_parts; expect grep -q 'try: *atrium-mpi --mpi=openmpi sleep 1' "$scratch/err"
}

a_program_of_the_other_mpi_is_an_error() {
  both_mpis
  expect_status 1 atrium_mpi mpirun.openmpi -n 2 "$WHICH_MPICH"; four_parts; expect grep -q 'try: .*mpirun.mpich' "$scratch/err"
  expect_status 1 atrium_mpi mpiexec.hydra -n 2 "$WHICH_OPENMPI"; four_parts; expect grep -q 'try: .*mpirun.openmpi' "$scratch/err"
}

the_library_of_the_other_mpi_says_which_is_right() {
  both_mpis
  expect_status 1 timeout 60 mpirun.openmpi -n 2 env LD_PRELOAD="$BUILD_TREE/lib/libatrium-mpi-mpich.so" "$EXCHANGE_OPENMPI"
  expect grep -q 'try: .*libatrium-mpi-openmpi.so' "$scratch/err"
  timeout 60 mpiexec.hydra -n 2 env LD_PRELOAD="$BUILD_TREE/lib/libatrium-mpi-openmpi.so" "$EXCHANGE_MPICH" >"$scratch/out" 2>"$scratch/err"
  expect [ $? != 0 ]
  expect grep -q 'try: .*libatrium-mpi-mpich.so' "$scratch/err"
}

# The program and the library are both MPICH's, and their handles differ.
the_library_of_an_mpi_tells_the_standard_abi() {
  newer_mpis
  LD_PRELOAD=$BUILD_TREE/lib/libatrium-mpi-mpich.so expect_status 1 timeout 60 "$EXCHANGE_ABI"
  expect grep -q 'try: .*libatrium-mpi-abi.so' "$scratch/err"
  expect_status 1 timeout 60 env LD_LIBRARY_PATH="${MPIRUN_MPICH5%/bin/*}/lib" LD_PRELOAD="$BUILD_TREE/lib/libatrium-mpi-abi.so" "$EXCHANGE_MPICH5"
  expect grep -q 'try: .*libatrium-mpi-mpich.so' "$scratch/err"
}

a_missing_library_is_an_error() {
  need mpirun.openmpi
  mkdir -p "$scratch/bin" "$scratch/lib" "$scratch/a b/bin" "$scratch/a b/lib"
  cp "$BUILD_TREE/bin/atrium-mpi" "$scratch/bin"; cp "$BUILD_TREE/bin/atrium-mpi" "$scratch/a b/bin"; touch "$scratch/a b/lib/libatrium-mpi-openmpi.so"
  expect_status 1 "$scratch/bin/atrium-mpi" mpirun.openmpi true; four_parts; expect grep -q 'no library for openmpi' "$scratch/err"
  expect_status 1 "$scratch/a b/bin/atrium-mpi" mpirun.openmpi true; four_parts; expect grep -q 'spaces and colons' "$scratch/err"
}
