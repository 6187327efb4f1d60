# What valgrind's memcheck finds in the symmetric heap, whose cap is all the memory there is.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

function need_valgrind { command -v valgrind >/dev/null && ! has_sanitizers || { echo "no valgrind here"; exit 77; }; }
# stray WAY: a PE of three does it under valgrind. Its findings are in $scratch/err, one "Invalid" a place.
function stray { need_valgrind; expect_status 0 oshrun -n 3 --valgrind=1 "$STRAYED" "$1"; expect grep -q "done" "$scratch/out"; }

a_correct_program_is_clean_under_valgrind() { stray nowhere; expect [ ! -s "$scratch/err" ]; }
valgrind_sees_a_put_behind_a_block() { stray behind; expect [ "$(grep -c 'Invalid write' "$scratch/err")" = 1 ]; expect grep -q strayed.c "$scratch/err"; }
valgrind_sees_the_use_of_a_freed_block() { stray freed; expect [ "$(grep -c 'Invalid write' "$scratch/err")" = 1 ]; }
the_leak_check_does_not_read_the_whole_heap() {
  need_valgrind
  expect_status 0 timeout -k 5 60 valgrind --log-file="$scratch/log" "$STRAYED"; expect grep -q 'ERROR SUMMARY: 0 errors' "$scratch/log"
}
