# Children of fork() of a PE: they are no PEs, whatever they call.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2317  # cases are called by name

calls="init put context_put wrong add get barrier sync split split_2d reduce lock malloc free global_exit"

# A child that is refused says so, ends with status 1 and leaves the job alone.
function expect_refusals {
  local call
  # shellcheck disable=SC2086
  expect_status 0 env "$@" "$BUILD_TREE/bin/oshrun" -q -n 3 "$FORKS" $calls
  for call in $calls; do expect grep -qx "$call 1" "$scratch/out"; done
  expect [ "$(grep -c 'a child of fork() is no PE' "$scratch/err")" = "$(wc -w <<<"$calls")" ]
  expect grep -q ': process [0-9]*, a child of PE 0 on ' "$scratch/err"
}

a_child_that_exits_does_not_finalize() { expect_status 0 oshrun -n 3 "$FORKS" exit; expect grep -qx 'exit 0' "$scratch/out"; }
a_child_is_refused_every_call() { expect_refusals A=; }
a_child_is_refused_every_call_under_checks() { expect_refusals ATRIUM_CHECK=1; }
a_child_is_refused_every_call_where_pes_sleep() { expect_refusals ATRIUM_WAIT=block; }
# Else it would write into its parent's.
a_child_without_static_data_of_its_own_is_ended() {
  has_sanitizers && skip "a sanitizer wants to be loaded first"
  printf '#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <stdarg.h>\n#include <sys/mman.h>\n#include <unistd.h>\nstatic pid_t first;\n__attribute__((constructor)) static void begin(void) {\n  first = getpid();\n}\nvoid* mremap(void* old, size_t before, size_t bytes, int flags, ...) {\n  va_list list;\n  va_start(list, flags);\n  void* const place = va_arg(list, void*);\n  va_end(list);\n  if (getpid() != first) return MAP_FAILED;\n  return ((void* (*)(void*, size_t, size_t, int, void*))dlsym(RTLD_NEXT, "mremap"))(old, before, bytes, flags, place);\n}\n' >"$scratch/scarce.c"
  compile_library scarce -w
  expect_status 0 oshrun -n 2 env "LD_PRELOAD=$scratch/scarce.so" "$FORKS" exit; expect grep -qx 'exit 1' "$scratch/out"
  expect grep -q 'a child of fork() is ended' "$scratch/err"
}
a_childs_error_does_not_hide_its_parents_crash() {
  expect_status 139 oshrun -n 3 "$FORKS" crash
  expect grep -q 'PE 0 (pid .* was ended by signal 11' "$scratch/err"
}
a_childs_error_does_not_hide_its_parents_end() {
  expect_status 1 oshrun -n 3 "$FORKS" leave
  expect grep -q 'PE 0 (pid .* has left while others are at work' "$scratch/err"
}
