# Accesses that go from one object into the next, and those that only just do not.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

# What each way may move; one more is too many.
readonly limits='static:10 defined:4 local:5 row:27 flexible:3 alias:8 get:10 strided:4 sum:10 own:10 block:10 own_block:10'
readonly statics='static:10 defined:4 local:5 row:27 flexible:3 alias:8 get:10 strided:4 sum:10'

function accepted { expect_status 0 oshrun --check -n 2 "$1" "$2" "$3"; expect [ ! -s "$scratch/err" ]; }
function refused { expect_status 1 oshrun --check -n 2 "$1" "$2" "$3"; expect grep -q 'leaves the object that it begins in' "$scratch/err"; }
function judged {
  local one
  for one in $limits; do accepted "$1" "${one%:*}" "${one#*:}"; refused "$1" "${one%:*}" $((${one#*:} + 1)); done
}

objects_end_where_their_sizes_say() { judged "$OBJECTS"; }
objects_of_an_optimised_program_end_there_too() { judged "$OBJECTS_OPTIMISED"; }
objects_of_a_static_program_end_there_too() { [ -n "${OBJECTS_STATIC:-}" ] || skip "sanitizers cannot be linked statically"; judged "$OBJECTS_STATIC"; }
an_object_is_named_with_its_size_and_the_line() {
  refused "$OBJECTS" static 11
  expect grep -q 'because: `first` has 80 bytes, and 88 bytes are wanted from its byte 0 on' "$scratch/err"
  refused "$OBJECTS" row 28; expect grep -q '`grid` has 288 bytes, and 224 bytes are wanted from its byte 72 on' "$scratch/err"
  refused "$OBJECTS" get 11; expect grep -q 'source leaves' "$scratch/err"
  ! has_lines || expect grep -q 'called from objects.c:[0-9]* in main' "$scratch/err"
}
a_block_is_named_by_the_line_that_made_it() {
  refused "$OBJECTS" block 11; expect grep -q 'the block.* has 80 bytes, and 88 bytes' "$scratch/err"
  expect_status 1 oshrun --check -n 1 "$OBJECTS" behind 11; expect grep -q 'lies 8 bytes behind the end of the block' "$scratch/err"
  needs_lines
  expect grep -q 'the block (objects.c:[0-9]* in main)' "$scratch/err"
}
# What nobody knows is nobody's mistake.
# A sanitizer finds by itself what passes unnoticed here.
a_stripped_program_is_not_accused() {
  need strip; has_sanitizers && skip "a sanitizer ends this program"
  local one
  cp "$OBJECTS" "$scratch/stripped"; strip "$scratch/stripped"
  for one in $statics; do accepted "$scratch/stripped" "${one%:*}" $((${one#*:} + 1)); done
  refused "$scratch/stripped" block 11
}
without_local_names_the_global_ones_are_judged() {
  need strip; has_sanitizers && skip "a sanitizer ends this program"
  cp "$OBJECTS" "$scratch/stripped"; strip -x "$scratch/stripped"
  accepted "$scratch/stripped" static 11; accepted "$scratch/stripped" defined 4; refused "$scratch/stripped" defined 5
}
# There /proc/self/exe is the loader's file.
a_program_behind_a_loader_is_not_accused() {
  has_sanitizers && skip "a sanitizer ends this program"
  local loader; loader=$(readelf -lW "$OBJECTS" 2>/dev/null | sed -n 's/.*interpreter: \(.*\)\]/\1/p')
  [ -n "$loader" ] || skip "readelf is not installed"
  expect_status 0 oshrun --check -n 2 "$loader" "$OBJECTS" static 10
  expect_status 0 oshrun --check -n 2 "$loader" "$OBJECTS" static 11
}
