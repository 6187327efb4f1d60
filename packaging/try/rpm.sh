#!/usr/bin/env bash
# Builds the RPM packages, unpacks one and runs a program from it, where it would lie.
# SPDX-License-Identifier: BSD-3-Clause
source "$(dirname -- "${BASH_SOURCE[0]}")/roots.sh"
work_in rpm
packages="cmake ninja-build make g++ gfortran libhwloc-dev libpmix-dev libfabric-dev nlohmann-json3-dev libopen-trace-format2-dev libopenmpi-dev libmpich-dev openmpi-bin mpich rpm rpm2cpio cpio python3 ccache"

new_root "$work/root"
git -C "$sources" archive --prefix=atrium/ HEAD | tar -C "$work/root/root" -x
in_root "$work/root" bash -ec "apt-get -q update >/dev/null; apt-get -qy install --no-install-recommends $packages >/dev/null; cd /root/atrium; ./atrium package rpm"
step "what the package has"
in_root "$work/root" bash -ec 'cd /root/atrium/dist/rpm; rpm -qlp RPMS/*/atrium-*.rpm | head -n 30; rpm -qp --requires RPMS/*/atrium-*.rpm
  rpm2cpio RPMS/*/atrium-*.rpm | (cd / && cpio -idm --quiet)
  prefix=$(ls -d /usr/lib*/atrium); PATH=$prefix/bin:$PATH
  oshcc -O2 $prefix/share/doc/atrium/examples/01_hello.c -o /root/hello; oshrun -n 3 /root/hello; atrium-info | grep "share/doc/atrium (examples"
  oshcc -O2 /root/atrium/packaging/debian/tests/ring.c -o /root/ring; oshrun -n 4 /root/ring; module=$(ls /usr/share/modulefiles/atrium/*.lua); grep "$prefix" "$module"'
echo
echo "the RPM package is good"
