# Several hosts for real: what arrives is right, byte for byte, and fewer packets leave the hosts than without the library.
# SPDX-License-Identifier: BSD-3-Clause
export ATRIUM_ALLTOALL=always

# across MPI HOSTS RANKS ROUNDS BYTES...: the program checks every byte, and ends with an error when one is wrong.
function across {
  local program=ALLTOALL_TIMES_${1^^} status
  [ -n "${!program:-}" ] || { echo "$1 is not installed"; exit 77; }
  ! grep -q __asan_init "$BUILD_TREE/lib/libatrium-mpi-$1.so" || { echo "a program without sanitizers cannot load a library with them"; exit 77; }
  timeout -k 5 100 "$SOURCE_TREE/tests/mpi/hosts/across.sh" "$1" "$2" "$3" 1gbit "${!program}" "${@:4}" >"$scratch/out" 2>"$scratch/err"; status=$?
  [ $status != 77 ] || { cat "$scratch/out"; exit 77; }
  cat "$scratch/out"; expect grep -qx 'every byte was right' "$scratch/out"
}

# Columns: bytes, microseconds without and with the library, ratio, packets of all hosts for a call without and with it.
function fewer_packets { expect awk -F '\t' -v wanted="$1" 'NF > 1 { lines++; if ($5 < 1.2 * $6) bad = 1 } END { exit bad || lines != wanted }' "$scratch/out"; }

two_hosts_send_fewer_packets_under_openmpi() { across openmpi 2 4 3 8 256; fewer_packets 2; }
two_hosts_send_fewer_packets_under_mpich() { across mpich 2 4 1 8 256; fewer_packets 2; }
four_hosts_send_fewer_packets_under_openmpi() { across openmpi 4 4 3 8 256; fewer_packets 2; }
large_blocks_cross_hosts_unharmed_under_openmpi() { across openmpi 2 3 1 65536; }
large_blocks_cross_hosts_unharmed_under_mpich() { across mpich 2 2 1 65536; }
several_leaders_cross_hosts_unharmed() { ATRIUM_MPI_LEADERS=2 across openmpi 2 4 1 8 4096; }
windows_cross_hosts_unharmed() { ATRIUM_MPI_SEGMENT=window across openmpi 2 4 1 8 4096; }

# A program that checks every result of all collectives; the library is linked to it, and preloaded.
collectives_cross_hosts_unharmed() {
  local program=COLLECTIVES_OPENMPI status
  [ -n "${!program:-}" ] || { echo "Open MPI is not installed"; exit 77; }
  export ATRIUM_ALLREDUCE=always ATRIUM_BCAST=always ATRIUM_BARRIER=always ATRIUM_REPORT=1
  timeout -k 5 100 "$SOURCE_TREE/tests/mpi/hosts/across.sh" openmpi 2 3 1gbit "${!program}" 7 200 30000 >"$scratch/out" 2>"$scratch/err"; status=$?
  [ $status != 77 ] || { cat "$scratch/out"; exit 77; }
  expect [ $status = 0 ]
  expect grep -qE '^atrium: MPI_COMM_WORLD +6 +2 bcast .* own ' "$scratch/err"
}

hosts_go_away_with_their_maker() {
  "$SOURCE_TREE/tests/mpi/hosts/with_hosts.sh" 2 true 2>/dev/null || { echo "no hosts can be made here"; exit 77; }
  TMPDIR=$scratch "$SOURCE_TREE/tests/mpi/hosts/with_hosts.sh" 2 sh -c 'echo made; exec sleep 1000' >"$scratch/out" 2>&1 &
  expect_soon grep -q made "$scratch/out"
  kill -KILL $!
}
