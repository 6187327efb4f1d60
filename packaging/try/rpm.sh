#!/usr/bin/env bash
# Builds the RPM packages, unpacks one and runs a program from it, where it would lie, by the environment modules of both kinds.
# SPDX-License-Identifier: BSD-3-Clause
source "$(dirname -- "${BASH_SOURCE[0]}")/roots.sh"
work_in rpm
packages="cmake ninja-build make g++ gfortran libhwloc-dev libpmix-dev libfabric-dev nlohmann-json3-dev libopen-trace-format2-dev libopenmpi-dev libmpich-dev openmpi-bin mpich rpm rpm2cpio cpio python3 python3-venv ccache"

new_root "$work/root"
git -C "$sources" archive --prefix=atrium/ HEAD | tar -C "$work/root/root" -x
in_root "$work/root" bash -ec "apt-get -q update >/dev/null; apt-get -qy install --no-install-recommends $packages >/dev/null"
# As Fedora has them: the MPIs' compilers are outside of PATH.
in_root "$work/root" bash -ec 'for mpi in openmpi mpich; do
    folder=$(rpm --eval %_libdir)/$mpi/bin; mkdir -p $folder /usr/lib/hidden
    for compiler in mpicc mpifort; do
      cp -L /usr/bin/$compiler.$mpi /usr/lib/hidden/; rm /usr/bin/$compiler.$mpi
      printf "#!/bin/sh\nexec /usr/lib/hidden/$compiler.$mpi \"\$@\"\n" >$folder/$compiler; chmod +x $folder/$compiler
    done
  done
  cd /root/atrium; ./atrium package rpm'
step "what the package has"
in_root "$work/root" bash -ec 'cd /root/atrium/dist/rpm; rpm -qlp RPMS/*/atrium-*.rpm >/root/files; head -n 30 /root/files; rpm -qp --requires --recommends RPMS/*/atrium-*.rpm
  prefix=$(rpm --eval %_libdir)/atrium
  for file in bin/atrium-mpi lib/libatrium-mpi-{openmpi,mpich}.so share/doc/atrium/manual/index.html; do grep -x "$prefix/$file" /root/files; done
  rpm2cpio RPMS/*/atrium-*.rpm | (cd / && cpio -idm --quiet)'
# Debian has either of them.
for kind in environment-modules lmod; do
  step "with $kind"
  in_root "$work/root" bash -ec 'apt-get -qy install --no-install-recommends $0 >/dev/null
    case $0 in
      lmod) source /usr/share/lmod/lmod/init/bash ;;
      *) source /usr/share/modules/init/bash ;;
    esac
    module use /usr/share/modulefiles; module load atrium; prefix=$(rpm --eval %_libdir)/atrium
    [[ $(command -v oshcc) == $prefix/bin/oshcc && $ATRIUM_PREFIX == $prefix ]]
    oshcc -O2 $prefix/share/doc/atrium/examples/01_hello.c -o /root/hello; oshrun -n 3 /root/hello; atrium-info | grep "share/doc/atrium (examples"
    oshcc -O2 /root/atrium/packaging/debian/tests/ring.c -o /root/ring; oshrun -n 4 /root/ring' $kind
done
echo
echo "the RPM package is good"
