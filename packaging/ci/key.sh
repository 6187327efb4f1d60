#!/usr/bin/env bash
# Prints what a cache of a built Atrium is to be called: the version, and a digest of the files that a build reads. It changes
# when they do, wherever this tree lies and whether it is a clone or a tarball.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
cd "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../.."
version=$(sed -n 's/^project(atrium VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
digest=$(find . \( -path ./.git -o -path './build*' -o -path ./dist -o -path ./tests -o -path ./bench \) -prune -o -type f -print0 |
  LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum)
echo "$version-${digest:0:16}"
