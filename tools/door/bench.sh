# Builds the library, then hands over to the benchmark's driver in bench/driver (Python, standard library only).
# SPDX-License-Identifier: BSD-3-Clause
source "$atrium_root/tools/door/build.sh"

run_bench() {
  need bench
  [[ " $* " == *' --help '* || " $* " == *' -h '* ]] || build_product
  [[ ${1:-} != mpi ]] || measure_mpi "${@:2}"
  export ATRIUM_BUILD=$atrium_root/build PYTHONPATH=$atrium_root/bench PYTHONDONTWRITEBYTECODE=1
  exec python3 -m driver "$@"
}

# MPI has a measurement of its own: both ways in one program, also across hosts.
measure_mpi() { BUILD_TREE=$atrium_root/build exec "$atrium_root/bench/mpi/measure.sh" "$@"; }
