# Programs of Open MPI's OpenSHMEM, whose start fails now and then, with and without what is tested; sourced.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash

# `start_openmpi_shmem OUT ERR SECONDS COMMAND...`: what it prints is in those files; the status is the command's. If it fails in
# shmem_init it is started again, three times at most: version 4.1 hangs in one start of some hundred; 5.0.10, as Ubuntu 26.04 has
# it, ends in one of three with words of its memheap, and where all programs lie at the same addresses in one of twenty.
function start_openmpi_shmem {
  local again status same=()
  setarch -R true 2>/dev/null && same=(setarch -R)
  for again in yes yes yes no; do
    timeout -k 5 "$3" "${same[@]}" "${@:4}" >"$1" 2>"$2"; status=$?
    [ $again = yes ] || break
    [ $status = 124 ] || [ $status = 137 ] || { [ $status != 0 ] && grep -qa memheap "$2"; } || break
  done
  return $status
}
