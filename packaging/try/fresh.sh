#!/usr/bin/env bash
# A stranger's first hour: README's commands in a clone, on a minimal Debian that never saw us or an MPI. It is as good as a
# machine of its own (namespaces, mounts, traces and ssh work in it), and has no network once the packages are there.
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: packaging/try/fresh.sh [quick | SUITE...]   (nothing: everything)
#   DEBIAN_SUITE=trixie   another Debian     CACHE=kept   what this system's ccache has is not compiled again
#   KEEP=FOLDER           where the system is made and stays; the next time, only what is new in it
#
# It is passed when no test fails and the tests that are skipped are those that tests/skips.txt has for such a machine
# ("fresh" or the suite's code name in its first column), no more and no fewer.
source "$(dirname -- "${BASH_SOURCE[0]}")/roots.sh"
export SHM_SIZE=50%
suites=$*
if [[ -n ${KEEP:-} ]]; then
  root=$KEEP
else
  work_in fresh
  root=$work/root
fi

# there COMMAND: in the clone; CI is set where packages are installed alone, since it asks for long tests, too.
there() {
  in_root "$root" bash -ec "[[ '${CACHE:-}' == kept ]] || export CCACHE_DIR=/root/empty-cache
    cd /root/atrium; export TEST_MACHINE='fresh $suite'; $1"
}
there_alone() { without_network bash -ec "root='$root'; source '$sources/packaging/try/roots.sh'; $(declare -f there); there '$1'"; }

# timed NAME COMMAND...: and a line that says how long it took.
timed() {
  local name=$1 began=$SECONDS status=0
  shift
  step "$name"
  "$@" || status=$?
  echo "-- $((SECONDS - began)) s: $name"
  return $status
}

make_system() {
  if [[ -d $root/root/atrium ]]; then
    git -C "$root/root/atrium" fetch -q && git -C "$root/root/atrium" reset -q --hard '@{upstream}'
    return
  fi
  new_root "$root"
  git clone -q "$sources" "$root/root/atrium"
  chmod a+x "$root/root"  # as a home that other users may pass through: some tests become one
}

failed=0
timed "a minimal $suite with a clone" make_system
timed "packages: git, ./atrium setup demo test" there "apt-get -q update >/dev/null; apt-get -qy install --no-install-recommends git >/dev/null 2>&1
  CI=yes ./atrium setup $([[ $suites == quick ]] && echo demo || echo demo test)" || failed=1
timed "./atrium demo" there_alone "./atrium demo" || failed=1
timed "a program of one's own" there_alone "cp examples/01_hello.c mine.c; build/bin/oshcc -O2 mine.c -o mine && build/bin/oshrun -n 4 ./mine; rm mine mine.c" || failed=1
[[ -n $suites ]] || timed "./atrium test quick" there_alone "./atrium test quick" || failed=1
timed "./atrium test $suites" there_alone "./atrium test $suites" || failed=1
echo
echo "$(nproc) cores; $suite"
[[ $failed -eq 0 ]] && echo "a fresh machine is good"
