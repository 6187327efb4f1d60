#!/usr/bin/env bash
# Tries the binary tarball in a minimal system: before any compiler is there, then with the system's, as a user who unpacks it
# at home and moves it. binary_aarch64.sh tries the one for AArch64.
# usage: packaging/try/binary.sh [TARBALL]   (without, ./atrium package binary makes it)
# SPDX-License-Identifier: BSD-3-Clause
source "$(dirname -- "${BASH_SOURCE[0]}")/roots.sh"
work_in binary

tarball=$(product binary "atrium-*-linux-$(uname -m).tar.xz" "$@")
name=$(basename "$tarball" .tar.xz)

new_root "$work/root"
in_root "$work/root" bash -ec 'apt-get -q update >/dev/null; apt-get -qy install --no-install-recommends xz-utils >/dev/null 2>&1
  useradd --create-home someone; ! command -v cc'
cp "$tarball" "$sources/packaging/debian/tests/ring.c" "$work/root/home/someone/"
# user COMMAND: without a network.
user() { without_network bash -ec "source '$sources/packaging/try/roots.sh'; in_root '$work/root' su someone -c 'set -e; cd; $1'"; }

step "without a compiler"
user "tar -xf $name.tar.xz; cd $name; cat README; ls CHANGELOG.md LICENSE share/doc/atrium/examples/01_hello.c share/doc/atrium/manual/index.html share/man/man3/shmem_put.3
  bin/oshrun --version; bin/oshrun -n 2 true; bin/atrium-info >/dev/null; bin/oshcc x.c 2>&1 | grep \"no compiler\""
step "with the system's compiler"
in_root "$work/root" bash -ec 'apt-get -qy install --no-install-recommends gcc g++ libc6-dev python3-numpy >/dev/null 2>&1'
began=$(date +%s%N)
user "rm -rf $name; tar -xf $name.tar.xz; $name/bin/oshcc -O2 $name/share/doc/atrium/examples/01_hello.c -o hello; $name/bin/oshrun -n 4 ./hello"
echo "$((($(date +%s%N) - began) / 1000000)) ms from the tarball to the first result"
user "for flags in \"\" -static; do $name/bin/oshcc -O2 ring.c -o ring \$flags; $name/bin/oshrun -n 2 ./ring; done
  mkdir elsewhere; mv $name \"elsewhere/a place\"; cd elsewhere; PATH=\"\$PWD/a place/bin:\$PATH\"
  oshcc -O2 ../ring.c -o ring; oshrun -n 3 ./ring
  PYTHONPATH=\"\$PWD/a place/share/atrium/python\" oshrun -n 2 python3 \"a place/share/doc/atrium/examples/python/heat.py\"
  echo \"#include <shmem.h>
int main() { shmem_init(); shmem_barrier_all(); shmem_finalize(); }\" >a.cpp; oshc++ a.cpp -o a; oshrun -n 2 ./a"
echo
echo "the binary tarball is good"
