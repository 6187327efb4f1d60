# How PEs of several nodes end.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

# says WAY LINE...: each of the three PEs prints these lines, and then ends well.
function says {
  expect_status 0 oshrun -n 3 --nodes 2 "$LAST_THREAD" "$1"
  expect [ "$(sort "$scratch/out" | uniq -c | awk '{ print $1, $2 }' | tr '\n' ' ')" = "$2" ]
}

a_pe_ends_with_its_last_thread() { says now '3 over '; says finalized '3 over '; }
threads_work_on_when_main_has_left() { says worker '3 over 3 worked '; }
