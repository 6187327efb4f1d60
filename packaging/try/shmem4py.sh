#!/usr/bin/env bash
# Builds shmem4py as released with an installed Atrium, in a fresh environment, and runs its whole test suite on 1 to 4 PEs.
# usage: packaging/try/shmem4py.sh [PREFIX]   (default: the build folder). Requires: PyPI, a compiler.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
sources=$(readlink -f -- "$(dirname -- "${BASH_SOURCE[0]}")/../..")
bin=${1:-$sources/build}/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 -m venv "$work/env"
"$work/env/bin/pip" -q install 'numpy<2' cffi setuptools wheel
"$work/env/bin/pip" -q download --no-deps --no-binary :all: --no-build-isolation shmem4py==1.0.0 -d "$work"
tar -C "$work" -xzf "$work"/shmem4py-1.0.0.tar.gz
OSHCC="$bin/oshcc -include atrium/shmem4py.h" "$work/env/bin/pip" -q install --no-build-isolation "$work"/shmem4py-1.0.0.tar.gz

cd "$work/shmem4py-1.0.0"
for pes in 1 2 3 4; do
  echo "== $pes PEs"
  "$bin/oshrun" -q -n $pes "$work/env/bin/python" -W ignore -m unittest discover -s test 2>&1 | tee "$work/said" | tail -n 1
  [[ $(grep -c '^OK' "$work/said") -eq $pes ]]
done
"$bin/oshrun" -q -n 4 "$work/env/bin/python" "$sources/examples/python/halo.py"
patch -p1 --quiet <"$sources/packaging/shmem4py/atrium.patch"
echo "the change that makes it know Atrium applies"
