#!/bin/bash
# Runs a program on one of the libraries: run_shnode.sh LIBRARY PES WHAT-IT-SAYS PROGRAM ARGUMENT...
# From the environment: NODES, as oshrun's --nodes has them.
# SPDX-License-Identifier: BSD-3-Clause
source "$(dirname -- "${BASH_SOURCE[0]}")/openmpi_shmem.sh"
library=$1 pes=$2 expected=$3
shift 3
export SHMEM_SYMMETRIC_SIZE=64M SHMEM_SYMMETRIC_HEAP_SIZE=64M
preload=${SHNODE_TEST_PRELOAD:-}
if [[ -n $preload ]] && grep -qE '^ATRIUM_SANITIZE:[^=]*=(address|thread)' "$BUILD_TREE/CMakeCache.txt"; then
  echo "a sanitizer wants to be preloaded first" && exit 77
fi

run_on_atrium() { "$BUILD_TREE/bin/oshrun" ${NODES:+--nodes "$NODES"} -n "$pes" env LD_PRELOAD="$preload" "$@"; }
run_on_openmpi() {
  local status words
  words=$(mktemp -d)
  UCX_TLS=sysv,cma,self start_openmpi_shmem "$words/out" "$words/err" 130 /usr/bin/oshrun --allow-run-as-root --oversubscribe \
    --mca osc ucx -n "$pes" env LD_PRELOAD="$preload" "$@"
  status=$?
  cat "$words"/*
  rm -r "$words"
  return $status
}

output=$("run_on_$library" "$@" 2>&1)
status=$?
if [[ $status -ne 0 && $output == *"too many segments (max = 32)"* ]]; then
  echo "Open MPI's OpenSHMEM does not start here: its table takes 32 segments, and its libraries have more" && exit 77  # 4.1.2
fi
printf '%s\n' "$output"
[[ $status -eq 0 && $output == *"$expected"* ]]
