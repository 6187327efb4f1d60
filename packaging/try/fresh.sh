#!/usr/bin/env bash
# What a new user does: ./atrium test on a fresh minimal system, from the source tarball. Says how long each part took.
# usage: packaging/try/fresh.sh [quick | SUITE...]   (nothing: everything, as .ci/run does)
# SPDX-License-Identifier: BSD-3-Clause
source "$(dirname -- "${BASH_SOURCE[0]}")/roots.sh"
work=$(mktemp -d "${TMPDIR:-/var/tmp}/atrium-fresh-XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT

new_root "$work/root"
"$sources/atrium" package source
tar -C "$work/root/root" -xzf "$sources"/dist/atrium-*.tar.gz
# As if nothing had ever been compiled, unless CACHE=kept.
cache=$([[ ${CACHE:-} == kept ]] || echo 'export CCACHE_DIR=/root/empty-cache;')
step "install what the tests need"
began=$SECONDS
in_root "$work/root" bash -ec "cd /root/atrium-*/; [[ '${1:-}' != quick ]] || sets=build; ./atrium setup \${sets:-test}"
installed=$SECONDS
step "./atrium test $*"
status=0
in_root "$work/root" bash -ec "$cache cd /root/atrium-*/; ./atrium test $*" || status=$?
echo
echo "$((installed - began)) s to install packages, $((SECONDS - installed)) s to build and test, on $(nproc) cores"
exit $status
