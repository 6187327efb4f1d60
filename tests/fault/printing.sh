# What other PEs have printed when one calls shmem_global_exit.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

# printed OPTIONS...: of all three PEs, on standard output and in their own files.
function printed {
  expect_status 9 oshrun -l -n 3 "$@" "$PRINTING" "$scratch"; expect [ ! -s "$scratch/err" ]
  for pe in 0 1 2; do
    expect grep -qx "\[$pe\] printed by $pe" "$scratch/out"
    expect [ "$(cat "$scratch/$pe")" = "written by $pe" ]
  done
}
what_all_have_printed_goes_out_at_a_global_exit() { printed; }
what_all_have_printed_goes_out_on_several_nodes() { printed --nodes 3; }
a_handler_of_the_program_for_the_end_is_left_alone() {
  expect_status 9 oshrun -n 3 "$PRINTING" "$scratch" handled; expect grep -qx 'own handler' "$scratch/err"
}
