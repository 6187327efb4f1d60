#!/usr/bin/env bash
# The first minutes where little is there, of a user who may install nothing: with a compiler, cmake and ninja alone, then with
# the run-time packages of two MPIs and python3. The demo, the quick tests, and some suites: what is not there is skipped.
# usage: packaging/try/bare.sh [SUITE...]   (nothing: install door)
# SPDX-License-Identifier: BSD-3-Clause
source "$(dirname -- "${BASH_SOURCE[0]}")/roots.sh"
work_in bare
[[ $# -gt 0 ]] || set -- install door

# as_user COMMAND: in the sources; what was compiled before is read from the cache.
as_user() {
  in_root "$work/root" su someone -c "set -e; export HOME=/home/someone CCACHE_DIR=/root/.cache/ccache CCACHE_READONLY=1 CCACHE_TEMPDIR=/tmp/cc
    unset CCACHE_BASEDIR; cd /home/someone/atrium; $1"
}

install() { in_root "$work/root" bash -ec "apt-get -q update >/dev/null; apt-get -qy install --no-install-recommends $* >/dev/null 2>&1"; }

new_root "$work/root"
install g++ cmake ninja-build ccache
in_root "$work/root" bash -ec 'chmod a+x /root /root/.cache; useradd --create-home someone'
git -C "$sources" archive --prefix=home/someone/atrium/ HEAD | tar -C "$work/root" -x
in_root "$work/root" chown -R someone: /home/someone
step "a compiler, cmake and ninja alone"
as_user "./atrium demo --steps 100; ./atrium test quick; ./atrium test $*"
step "the run-time packages of two MPIs, and python3"
install openmpi-bin mpich python3
as_user "rm -rf build; ./atrium demo --steps 100; ./atrium test quick"
echo
echo "a bare system is good"
