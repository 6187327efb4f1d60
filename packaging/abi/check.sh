#!/usr/bin/env bash
# Holds a built libatrium.so against what the last release exported: nothing may have gone, changed its version or its size.
# usage: packaging/abi/check.sh LIBRARY [--accept]   (--accept: a release does this: what is exported now is promised)
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
promised=$(dirname -- "$(readlink -f -- "$0")")/libatrium.abi
library=$1
command -v abidiff >/dev/null || { echo "abidiff is not installed (Debian: abigail-tools)" && exit 77; }
[[ $(uname -m) == x86_64 ]] || { echo "the promise was written down on x86-64" && exit 77; }

if [[ ${2:-} == --accept ]]; then
  abidw --no-corpus-path --no-comp-dir-path --no-show-locs "$library" >"$promised"
  echo "promised: $(grep -c '<elf-symbol ' "$promised") symbols"
  exit
fi

# The status is a set of bits: 1 and 2 errors, 4 a change, 8 one that breaks programs. Symbols that are new break nothing.
status=0
said=$(abidiff --no-added-syms "$promised" "$library" 2>&1) || status=$?
if ((status != 0)); then
  echo "$said"
  echo "programs linked with the last release may not run with this library (status $status)"
  echo "a new major version: raise SOVERSION and the symbols' version, then packaging/abi/check.sh LIBRARY --accept"
  exit 1
fi
echo "everything that the last release exported is there"
