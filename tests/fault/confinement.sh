# Settings and limits that cannot work: the message says what to change.
# SPDX-License-Identifier: BSD-3-Clause

# explains WORDS...: the program does not go on, and its message has the four parts and these words.
function explains {
  expect_status 1 oshrun -n 3 "$COUNTING"
  for part in because: while: try: "$@"; do expect grep -q -- "$part" "$scratch/err"; done
  expect [ ! -s "$scratch/out" ]
}
# The process id of one PE of this case: the launcher's children need not be the PEs themselves.
function a_pe {
  local process
  for process in /proc/[0-9]*; do
    [ "$(readlink "$process/exe")" = "$VICTIM" ] && grep -qzsFx "CASE_MARK=$CASE_MARK" "$process/environ" &&
      { basename "$process"; return; }
  done
}
# In mount namespaces of our own, where the machine allows that.
function need_namespaces { unshare -m true 2>/dev/null || { echo "no mount namespaces here"; exit 77; }; }
function with_small_dev_shm {
  need_namespaces
  unshare -m sh -c 'mount -t tmpfs -o size=1m tmpfs /dev/shm && exec "$@"' sh env "ATRIUM_SEGMENT=$1" \
    timeout 60 "$BUILD_TREE/bin/oshrun" -q -n 3 "$COUNTING" >"$scratch/out" 2>"$scratch/err"
}

a_named_segment_that_does_not_fit_says_so() {
  with_small_dev_shm posix; local status=$?
  [ $status = 0 ] && return   # all of it fitted into one megabyte
  expect [ $status = 1 ]; expect grep -q 'No space left' "$scratch/err"; expect grep -q 'try:' "$scratch/err"
}
no_address_space_says_what_to_change() {
  has_sanitizers && skip "the shadow of sanitizers needs terabytes of address space"
  export SHMEM_SYMMETRIC_SIZE=1G; (ulimit -v 1000000; explains 'ulimit -v') || exit 1
}
small_files_do_not_kill_by_signal() { (ulimit -f 1000; explains 'ulimit -f') || exit 1; }
no_file_at_all_does_not_kill_by_signal() {
  (ulimit -f 0; "$BUILD_TREE/bin/oshrun" -q -n 2 "$COUNTING" 2>&1 | grep -q 'ulimit -f unlimited') || exit 1
  (ulimit -f 0; "$COUNTING" 2>&1 | grep -q 'ulimit -f unlimited') || exit 1
}
# What stands between oshrun and the program may close descriptors, and open others.
a_closed_descriptor_is_told_as_what_it_is() {
  expect_status 1 oshrun -n 2 bash -c 'exec {ATRIUM_JOB_FD}>&-; exec "$COUNTING"'
  expect grep -q 'descriptor 200 (ATRIUM_JOB_FD), which leads to the job.s memory, was closed between' "$scratch/err"
  expect grep -q 'close_fds=False' "$scratch/err"; expect [ "$(grep -c 'unset\|oshrun -n' "$scratch/err")" = 0 ]
}
a_descriptor_that_is_another_file_is_told_as_what_it_is() {
  local file
  head -c 5000000 /dev/zero >"$scratch/large"; : >"$scratch/empty"
  for file in /dev/null "$scratch/empty"; do
    expect_status 1 oshrun -n 2 bash -c 'exec 200<>"$0"; exec "$COUNTING"' $file; expect grep -q 'is another file now' "$scratch/err"
  done
  expect_status 1 oshrun -n 2 bash -c 'exec 200<>"$0"; exec "$COUNTING"' "$scratch/large"; expect grep -q 'leads to another file' "$scratch/err"
}
damaged_variables_are_told_as_what_they_are() {
  expect_status 1 oshrun -n 2 env ATRIUM_JOB_PE=7 "$COUNTING"; expect grep -q "its number is none of the job.s" "$scratch/err"
  expect_status 1 oshrun -n 2 env -u ATRIUM_JOB_PE "$COUNTING"; expect grep -q 'damaged or not complete' "$scratch/err"
}
variables_that_are_lost_are_told_and_make_no_jobs_of_one_pe() {
  expect_status 1 oshrun -n 2 env -i "$COUNTING"; expect [ "$(grep -c 'because: its ATRIUM_JOB_. variables were removed' "$scratch/err")" = 1 ]
  expect_status 0 oshrun -n 2 env -u ATRIUM_JOB_FD "$COUNTING"
}
# As sudo does: it closes all descriptors and keeps no variables, and becomes the program or waits for it.
function as_sudo { printf 'exec 200>&-\n%s env -i "$@"\nexit $?\n' "$1" >"$scratch/sudo"; }
what_closes_descriptors_and_removes_variables_makes_no_jobs_of_one_pe() {
  local way
  for way in exec ''; do
    as_sudo "$way"
    expect_status 1 oshrun -n 2 bash "$scratch/sudo" "$COUNTING"; expect [ "$(grep -c 'try: .*sudo oshrun' "$scratch/err")" = 1 ]
    expect_status 0 oshrun -n 1 bash "$scratch/sudo" "$COUNTING"; expect grep -qx '1 PEs, 1 counted' "$scratch/out"
  done
}
a_bare_program_that_a_pe_starts_is_a_job_of_its_own() {
  printf '#include <shmem.h>\n#include <stdlib.h>\n#include <unistd.h>\nint main(int count, char** words) {\n  shmem_init();\n  int wrong = shmem_my_pe() == 0 && system(words[count - 1]) != 0;\n  shmem_barrier_all();\n  shmem_finalize();\n  return wrong;\n}\n' >"$scratch/starting.c"
  "$BUILD_TREE/bin/oshcc" "$scratch/starting.c" -o "$scratch/starting"
  expect_status 0 oshrun -n 2 "$scratch/starting" "env -i '$COUNTING'"; expect grep -qx '1 PEs, 1 counted' "$scratch/out"
}
a_bad_heap_size_is_explained() { SHMEM_SYMMETRIC_SIZE=12Q explains SHMEM_SYMMETRIC_SIZE=12Q 512M; }
an_impossible_heap_size_is_explained() {
  SHMEM_SYMMETRIC_SIZE=200T explains SHMEM_SYMMETRIC_SIZE; SHMEM_SYMMETRIC_SIZE=9000000T explains SHMEM_SYMMETRIC_SIZE
}
a_bad_kind_of_segment_is_explained() { ATRIUM_SEGMENT=mmap explains 'memfd, posix, sysv'; }
a_misspelt_variable_is_noticed_once() {
  export ATRIUM_SEGMNET=sysv
  expect_status 0 timeout 60 "$BUILD_TREE/bin/oshrun" -n 3 "$COUNTING"
  expect [ "$(grep -c 'did you mean ATRIUM_SEGMENT' "$scratch/err")" = 1 ]
}
# Users set those of Atrium for MPI for a whole session; the core keeps no table of them, but knows their names.
variables_of_the_other_parts_are_no_slips() {
  local name names
  names=$(grep -ohE '\{"ATRIUM_[A-Z_]+"' "$SOURCE_TREE"/mpi/*/*.c* | tr -d '{"' | sort -u; echo ATRIUM_PREFIX)
  expect [ "$(wc -l <<<"$names")" -gt 10 ]
  for name in $names; do export "$name="; done
  expect_status 0 timeout 60 "$BUILD_TREE/bin/oshrun" -n 1 "$COUNTING"; expect [ ! -s "$scratch/err" ]
}
what_is_wrong_on_every_pe_is_said_once() {
  ATRIUM_WAIT=patiently expect_status 1 oshrun -n 16 "$COUNTING"; expect [ "$(grep -c 'cannot be used' "$scratch/err")" = 1 ]
}
different_programs_in_one_job_are_refused() {
  cp "$VICTIM" "$scratch/other"
  expect_status 1 oshrun -n 2 sh -c 'if [ "$ATRIUM_JOB_PE" = 1 ]; then exec "$VICTIM" 0 barrier; else exec "$COUNTING"; fi'
  expect grep -q 'same executable' "$scratch/err"
}
core_dumps_leave_the_peers_out() {
  start_oshrun -n 4 "$VICTIM" hang barrier >"$scratch/out" 2>"$scratch/err"
  expect_soon grep -q ready "$scratch/out"
  local pe; pe=$(a_pe)
  # Shared mappings of the segment that are not marked "dd" (do not dump), in kB: one PE's own, not all four.
  local dumped; dumped=$(awk '/^[0-9a-f]+-[0-9a-f]+ /{mine = /memfd:atrium/} /^Size:/{size = $2} /^VmFlags:/ && mine && !/ dd( |$)/{sum += size} END{print sum+0}' /proc/$pe/smaps)
  local marked; marked=$(awk '/^[0-9a-f]+-[0-9a-f]+ /{mine = /memfd:atrium/} /^Size:/{size = $2} /^VmFlags:/ && mine && / dd( |$)/{sum += size} END{print sum+0}' /proc/$pe/smaps)
  kill -9 "$launcher"; wait "$launcher" 2>/dev/null; expect_soon nobody_survives
  expect [ "$dumped" -gt 0 ]; expect [ $((dumped * 2)) -lt "$marked" ]
}
