# Builds the library, then hands over to the benchmark's driver in bench/driver (Python, standard library only).
# SPDX-License-Identifier: BSD-3-Clause
source "$atrium_root/tools/door/build.sh"

run_bench() {
  need bench
  build_product
  export_for_driver
  [[ ${1:-} != @(fabric|*_fabric) ]] || measure_between_hosts "$@"
  exec python3 -m driver "$@"
}

help_bench() {
  if have python3; then
    export_for_driver
    python3 -m driver "$@"
  else
    echo "usage: ./atrium bench [PLAN] [OPTION...]: the options are the driver's, which is Python: please install python3"
  fi
}

export_for_driver() { export BUILD_TREE=$atrium_root/build PYTHONPATH=$atrium_root/bench PYTHONDONTWRITEBYTECODE=1; }

# Two hosts made of namespaces, where this machine allows them; else the driver pretends two nodes, and says so.
measure_between_hosts() {
  local with_hosts=$atrium_root/tests/mpi/hosts/with_hosts.sh
  "$with_hosts" 2 true 2>/dev/null && exec "$with_hosts" 2 python3 -m driver "$@"
  say "no hosts can be made here, which takes namespaces, ip and tc: two nodes are pretended over loopback"
}
