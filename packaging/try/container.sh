#!/usr/bin/env bash
# The Dockerfile's own steps in minimal systems, since no daemon may be had; then programs with the /dev/shm of containers,
# as root and as nobody in particular, with no more privileges than that.
# SPDX-License-Identifier: BSD-3-Clause
source "$(dirname -- "${BASH_SOURCE[0]}")/roots.sh"
work_in container

# steps N: the RUN lines of the N-th stage, with their continuations, as one script.
steps() {
  awk -v stage="$1" '/^FROM/ { n++ } n == stage && /^RUN/ { run = 1; sub(/^RUN /, "") } run && n == stage { print; if (!/\\$/) run = 0 }' \
    "$sources/packaging/container/Dockerfile"
}

new_root "$work/build"
mkdir "$work/build/source"
git -C "$sources" archive HEAD | tar -C "$work/build/source" -x
step "stage 1: build"
# A cache is all that the Dockerfile has not: its steps are the same with and without.
in_root "$work/build" bash -ec 'apt-get -q update && apt-get -qy install --no-install-recommends ccache' >"$work/ccache.log" 2>&1
in_root "$work/build" env CCACHE_BASEDIR=/source CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache bash -ec "$(steps 1)" >"$work/build.log" 2>&1 || { tail -n 40 "$work/build.log" && exit 1; }
new_root "$work/image"
step "stage 2: the image"
in_root "$work/image" bash -ec "$(steps 2)" >"$work/image.log" 2>&1 || { tail -n 40 "$work/image.log" && exit 1; }
cp -a "$work/build/opt/atrium" "$work/image/opt/"
cp "$sources/packaging/debian/tests/ring.c" "$work/image/tmp/"
for size in 64k 64m; do
  for user in 0 4321; do
    step "/dev/shm of $size, user $user"
    SHM_SIZE=$size without_network bash -ec "source '$sources/packaging/try/roots.sh'
      in_root '$work/image' setpriv --reuid $user --regid $user --clear-groups --inh-caps=-all --bounding-set=-all env PATH=/opt/atrium/bin:/usr/bin:/bin HOME=/tmp sh -ec '
        cd \$(mktemp -d) && oshcc -O2 /tmp/ring.c -o ring && oshrun -n 4 ./ring'"
  done
done
echo
echo "the image is good"
