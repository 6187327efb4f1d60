#!/usr/bin/env bash
# Builds the Debian packages in a minimal system and tries them in two more: alone, and beside Open MPI; then removes them.
# usage: packaging/try/debian.sh [FOLDER-WITH-DEBS]   (with a folder, nothing is built)
# SPDX-License-Identifier: BSD-3-Clause
source "$(dirname -- "${BASH_SOURCE[0]}")/roots.sh"
work_in debian
packages=(libatrium1 libatrium-dev atrium-bin atrium-doc atrium-mpi-bin libshnode-dev)

build() {
  step "build"
  new_root "$work/build"
  git -C "$sources" archive --prefix=atrium/ HEAD | tar -C "$work/build/root" -x
  in_root "$work/build" bash -ec 'cd /root/atrium && apt-get -q update && apt-get -qy install --no-install-recommends dpkg-dev debhelper fakeroot lintian ccache >/dev/null
    cp -r packaging/debian debian && apt-get -qy build-dep --no-install-recommends . >/dev/null && rm -r debian && ./atrium package deb'
  mkdir -p "$sources/dist/deb"
  cp "$work"/build/root/atrium/dist/deb/* "$sources/dist/deb/"
  step "lintian"
  # Ubuntu's knows no "unstable", for which the package is.
  in_root "$work/build" bash -ec 'cd /root/atrium/dist/deb && lintian --allow-root --fail-on error --suppress-tags bad-distribution-in-changes-file \
    --tag-display-limit 0 ./*.changes'
}

# files ROOT: everything there, but what apt, dpkg and adduser (for Open MPI's dependencies) keep for themselves, and a link that
# Ubuntu's Open MPI leaves.
files() {
  (cd "$1" && find . -xdev \( -path ./var/lib/apt -o -path ./var/cache -o -path ./var/lib/dpkg -o -path ./tmp -o -path ./root -o -path ./var/log \
    -o -path ./run -o -path ./proc -o -path ./sys -o -path ./dev -o -name ld.so.cache -o -path './etc/*-' -o -name '*-gfortranso.40' \) -prune -o -print | sort)
}

# try_in ROOT BEFORE TEST...: installs BEFORE, ours, what the tests need; runs them; purges ours; looks for what is left.
try_in() {
  local root=$work/$1 before=$2
  shift 2
  new_root "$root"
  cp -r "$debs" "$root/root/debs"
  cp -r "$sources/packaging/debian/tests" "$root/root/tests"
  in_root "$root" bash -ec "apt-get -q update >/dev/null; apt-get -qy install --no-install-recommends $before adduser gcc g++ libc6-dev pkg-config binutils >/dev/null"
  files "$root" >"$work/before"
  in_root "$root" bash -ec "apt-get -qy install --no-install-recommends /root/debs/*.deb >/dev/null; dpkg -l | grep -E 'atrium|shnode'"
  for test; do
    step "$test"
    in_root "$root" "/root/tests/$test"
  done
  step "purge"
  in_root "$root" bash -ec "apt-get -qy purge ${packages[*]} >/dev/null; apt-get -qy autoremove --purge >/dev/null; ! dpkg -l | grep -E ' (lib)?(atrium|shnode)'"
  files "$root" >"$work/after"
  diff "$work/before" "$work/after" || { echo "the packages left something behind, or took something away" && exit 1; }
}

debs=${1:-}
if [[ -z $debs ]]; then
  build
  debs=$sources/dist/deb
fi
step "alone"
try_in alone "" a-program-runs
step "beside Open MPI, which was there before"
try_in beside "openmpi-bin libopenmpi-dev" a-program-runs beside-openmpi alltoall-by-preload
step "Open MPI comes later, and ours leaves"
new_root "$work/later"
cp -r "$debs" "$work/later/root/debs"
in_root "$work/later" bash -ec 'apt-get -q update >/dev/null; apt-get -qy install --no-install-recommends /root/debs/libatrium1*.deb /root/debs/libatrium-dev*.deb /root/debs/atrium-bin*.deb >/dev/null
  apt-get -qy install --no-install-recommends openmpi-bin >/dev/null
  update-alternatives --query openshmem | grep -q "^Alternative: /usr/bin/oshcc.openmpi"
  [[ $(readlink -f /usr/bin/oshrun) == /usr/bin/oshrun.atrium ]]
  apt-get -qy purge atrium-bin >/dev/null
  [[ $(readlink -f /usr/bin/oshcc) == /usr/bin/opal_wrapper && $(readlink -f /usr/bin/oshrun) != *atrium* ]]
  ! update-alternatives --query openshmem 2>/dev/null; dpkg-divert --list | { ! grep atrium; }'
echo
echo "the Debian packages are good"
