#!/bin/bash
# Runs one case of a script: `run_case.sh SCRIPT CASE`, and looks for what it has left behind.
# SPDX-License-Identifier: BSD-3-Clause
#
# A case uses: oshrun (quiet, under a time limit), expect_status, expect, expect_soon, and $scratch, a folder of its own.
# Every process that a case starts inherits CASE_MARK, by which survivors are found.
set -u
# Other users' shared memory is not ours to count, and ours not theirs: where it is allowed, a case has /dev/shm and
# System V segments of its own.
if [ -z "${OWN_MEMORY:-}" ] && unshare --ipc --mount mount -t tmpfs own /dev/shm 2>/dev/null; then
  OWN_MEMORY=yes exec unshare --ipc --mount sh -c 'mount -t tmpfs own /dev/shm && exec bash "$@"' sh "$0" "$@"
fi
unset OWN_MEMORY
export CASE_MARK=atrium-case-$$-$RANDOM
# In a build with sanitizers: signals end PEs as they do in any other, and leaks are not looked for under ptrace.
handled_by_program=handle_segv=0:handle_abort=0:handle_sigbus=0:handle_sigill=0:handle_sigfpe=0
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}$handled_by_program
export TSAN_OPTIONS=${TSAN_OPTIONS:+$TSAN_OPTIONS:}$handled_by_program
scratch=$(mktemp -d)
failed=$scratch.failed
patience=150 # seconds, on a machine with much else to do
launcher=
trap '[ -z "$launcher" ] || kill -9 "$launcher" 2>/dev/null; rm -rf "$scratch" "$failed"' EXIT

oshrun() { ATRIUM_QUIET=1 timeout -k 5 "$patience" "$BUILD_TREE/bin/oshrun" "$@"; }
# Some distributions' timeout takes no words but of UTF-8, and opens the standard streams that are closed.
oshrun_alone() { ATRIUM_QUIET=1 "$BUILD_TREE/bin/oshrun" "$@"; }
# For the background: its pid is the launcher's own.
start_oshrun() { ATRIUM_QUIET=1 "$BUILD_TREE/bin/oshrun" "$@" & launcher=$!; }

# The reason is the last line that a case prints; tests/skips.txt has those that are expected.
skip() { echo "$*"; exit 77; }
need_terminal() { need script; script -qec true /dev/null >/dev/null 2>&1 </dev/null || skip "no pseudo-terminal can be had here"; }
need_libfabric() { ATRIUM_ENGINE=libfabric "$BUILD_TREE/bin/atrium-info" --fabric >/dev/null 2>&1 || skip "there is no libfabric"; }
need_provider() { ATRIUM_NET=$1 "$BUILD_TREE/bin/atrium-info" --fabric >/dev/null 2>&1 || skip "this libfabric has no provider $1"; }
# Whole: with pipefail a grep -q that ends early fails now and then.
has_lines() { [[ $(ldconfig -p) == *libdw.so.1* ]]; }
needs_lines() { has_lines || skip "libdw1 is not installed"; }
need() { command -v "$1" >/dev/null || skip "$1 is not installed"; }
# Also where it is said in a subshell, whose exit a case may not look at.
complain() { echo "FAILED: $*" >&2; touch "$failed"; exit 1; }

# expect_pes "PE@HOST..." WORD...: the PEs that oshrun starts, each with its host.
expect_pes() {
  local wanted=$1; shift
  # shellcheck disable=SC2016  # the PEs' shells expand it
  expect_status 0 oshrun "$@" -l sh -c 'echo of $ATRIUM_JOB_PES'
  expect [ "$(sed 's/^\[\(.*\)@\(.*\)\] of.*/\1@\2/' "$scratch/out" | sort | tr '\n' ' ')" = "$wanted " ]
}

# Where a case makes a mistake to see what Atrium says of it, UBSan may say something, too, and let it happen.
mistakes_may_happen() { export UBSAN_OPTIONS=${UBSAN_OPTIONS:-}:halt_on_error=0; }
without_leak_check() { ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 "$@"; }
is_instrumented() { grep -q "^ATRIUM_SANITIZE:[^=]*=." "$BUILD_TREE/CMakeCache.txt"; }
has_thread_sanitizer() { grep -q "^ATRIUM_SANITIZE:[^=]*=thread" "$BUILD_TREE/CMakeCache.txt"; }
# A PE with a thread that nobody knows is never said to hang.
threads_are_judged() { ! has_thread_sanitizer || skip "ThreadSanitizer has a thread of its own, which might end a wait"; }
# Of the kinds that have a shadow and handlers of their own.
has_sanitizers() { grep -qE "^ATRIUM_SANITIZE:[^=]*=(address|thread)" "$BUILD_TREE/CMakeCache.txt"; }

# compile_library NAME [FLAG...]: $scratch/NAME.c becomes $scratch/NAME.so.
compile_library() { "$BUILD_TREE/bin/oshcc" -g -shared -fPIC "$scratch/$1.c" -o "$scratch/$1.so" "${@:2}" || complain "it does not compile"; }

# expect_status N COMMAND...: its output is in $scratch/out and $scratch/err.
expect_status() {
  local wanted=$1 got; shift
  "$@" >"$scratch/out" 2>"$scratch/err"; got=$?
  [ "$got" = "$wanted" ] || complain "status $got instead of $wanted: $*: $(head -c 2000 "$scratch/out" "$scratch/err")"
}

# expect TEST...: a condition that must hold now.
expect() { "$@" || complain "$*: $(head -c 2000 "$scratch"/out "$scratch"/err 2>/dev/null)"; }

# expect_soon TEST...: a condition that must come true; ten seconds are for machines under load. A case may set others.
soon=10
expect_soon() {
  local deadline=$((SECONDS + soon))
  while ! "$@"; do
    [ $SECONDS -lt $deadline ] || complain "never: $*: $(head -c 2000 "$scratch"/out "$scratch"/err 2>/dev/null)"
    sleep 0.05
  done
}

# Command lines of processes that carry the mark. (This shell made it, and so does not.)
survivors() {
  local environ
  env -u CASE_MARK grep -lzsFx "CASE_MARK=$CASE_MARK" /proc/[0-9]*/environ | while read -r environ; do
    { tr '\0' ' ' <"${environ%environ}cmdline"; } 2>/dev/null
  done
}
nobody_survives() { [ -z "$(survivors)" ]; }

names_of_memory() { find /dev/shm -iname '*atrium*' 2>/dev/null; }
# Where a case has no memory of its own, names of others come and go.
no_memory_has_a_name() { [ -z "$(names_of_memory)" ]; }

. "$1"
"$2"
status=$?
[ ! -e "$failed" ] || exit 1
[ $status = 0 ] || exit $status
expect_soon nobody_survives
expect_soon no_memory_has_a_name
