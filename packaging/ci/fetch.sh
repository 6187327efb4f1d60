#!/usr/bin/env bash
# Unpacks the binary tarball at an address (that of ./atrium package binary) so that PREFIX/bin/oshrun is there; exit status 1,
# and no PREFIX, where it cannot be had or does not run here. What it needs is built into the tarball, but for the C library.
# usage: packaging/ci/fetch.sh ADDRESS PREFIX
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
address=$1 prefix=$2
mkdir -p "$prefix"
if curl -fsSL --retry 2 "$address" | tar -C "$prefix" --strip-components=1 -xJ && "$prefix/bin/oshrun" --version >/dev/null; then
  echo "taken from $address"
else
  rm -rf "$prefix"
  echo "not taken from $address"
  exit 1
fi
