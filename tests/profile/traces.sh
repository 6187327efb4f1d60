# The time line of oshrun --trace, what oshrun --top and atrium-top show, regions.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317,SC2154
. "$SOURCE_TREE/tests/profile/programs.sh"

# traced BODY [PES [FLAG]]
function traced { write_program "$1"; compile -O2; trace "${@:2}"; }
function trace {
  (cd "$scratch" && oshrun --trace=run.json ${2:+"$2"} -n "${1:-2}" ./p >out 2>err) || complain "$(cat "$scratch/err")"
  ! grep -q 'without nlohmann-json' "$scratch/err" || skip "built without nlohmann-json"
}
# in_trace PYTHON: an expression that is true of `events`, `calls` (each with the name that it lies `inside`) and `flows`, pairs of
# calls. They are put together as Perfetto does it: in the order of time, and of the file at the same nanosecond; a thread is known
# by its number alone, 0 is the process's; an arrow's ends belong to what began last, and it leads from what began first.
function in_trace {
  python3 - "$scratch/run.json" "$1" <<'END' || complain "$1"
import collections, json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
calls = [e for e in events if e["ph"] == "X"]
def ns(microseconds): return round(microseconds * 1000)
threads, open_calls, begun, flows = {}, collections.defaultdict(list), {}, []
for e in sorted((e for e in events if e["ph"] != "M"), key=lambda e: ns(e["ts"])):
    thread = e["tid"] or e["pid"]
    assert threads.setdefault(thread, (e["pid"], e["tid"])) == (e["pid"], e["tid"]), "two threads have one number"
    stack = open_calls[thread]
    if e["ph"] in "Xi":
        begin, e["dur"] = ns(e["ts"]), e.get("dur", 0)
        e["end"] = begin + ns(e["dur"])
        while stack and stack[-1]["end"] <= begin and (stack[-1]["dur"] or e["dur"] or stack[-1]["end"] < begin): stack.pop()
        assert all(begin <= e["end"] <= around["end"] for around in stack), "one ends in the midst of another"
        e["inside"] = stack[-1]["name"] if stack else ""
        stack.append(e)
    elif e["ph"] == "s": assert stack[-1]["cat"] == "store" and e["id"] not in begun; begun[e["id"]] = stack[-1]
    else:
        store, (wait, mark) = begun.pop(e["id"]), stack[-2:]
        assert store["ts"] <= mark["ts"] and wait["cat"] == "wait" and mark["ph"] == "i", "an arrow leads backwards, or elsewhere"
        assert mark["name"] == f"ended by PE {store['pid']}" and mark["args"] == {"by": store["name"], "line": store["args"]["line"]}
        flows.append((store, wait))
assert not begun, "an arrow has no end"
named = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
assert set(named) == set(threads.values()), "a thread has no name"
def at(call): return call["name"], call["args"]["line"]
sys.exit(not eval(sys.argv[2]))
END
}
every_call_is_in_the_trace_with_its_line() {
  traced 'for (int i = 0; i < 5; ++i) shmem_long_put(heap, box, 100, next);' 3
  in_trace 'sum(c["name"] == "shmem_long_put" and c["args"] == {"line": "p.c:13 in main", "PE": (c["pid"] + 1) % 3, "bytes": 800} for c in calls) == 15'
  in_trace '{c["pid"] for c in calls} == {0, 1, 2}'
}
arrows_lead_from_stores_to_the_waits_that_they_ended() {
  traced 'if (me == 0) { usleep(200000);
    shmem_put64_signal(heap, box, 50, &flag, 1, SHMEM_SIGNAL_SET, 1);
  } else shmem_signal_wait_until(&flag, SHMEM_CMP_EQ, 1);
  shmem_barrier_all();
  if (me == 1) { usleep(200000); shmem_long_p(heap + 7, 1, 0); } else shmem_long_wait_until(heap + 7, SHMEM_CMP_EQ, 1);
  if (me == 0) { usleep(200000); shmem_uint64_atomic_inc(&flag, 1); } else shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, 2);'
  in_trace '[(at(b), at(e)) for b, e in flows if e["name"] == "shmem_signal_wait_until"] == [(("shmem_put64_signal", "p.c:14 in main"), ("shmem_signal_wait_until", "p.c:15 in main"))]'
  in_trace '[(b["pid"], at(b)[0], e["pid"]) for b, e in flows if e["name"] == "shmem_long_wait_until"] == [(1, "shmem_long_p", 0)]'
  in_trace '[(b["pid"], at(b)[0], e["pid"]) for b, e in flows if e["name"] == "shmem_uint64_wait_until"] == [(0, "shmem_uint64_atomic_inc", 1)]'
}
# trace_of_end STATUS PES [FLAG]: of a job that does not come to its end.
function trace_of_end {
  compile -O2 -pthread
  expect_status "$1" in_scratch --trace=run.json ${3:+"$3"} -n "$2" ./p
  ! grep -q 'without nlohmann-json' "$scratch/err" || skip "built without nlohmann-json"
}
# (PE, call, line, how) of the calls in which PEs ended; each ends where its PE does.
unfinished='(lambda marks: [(c["pid"], *at(c), c["args"]["unfinished"]) for c in calls if "unfinished" in c.get("args", {}) and c["cat"] != "region"
  and (c["end"], c["args"]["unfinished"]) == marks[c["pid"]]])({e["pid"]: (ns(e["ts"]), e["name"]) for e in events if e.get("cat") == "end"})'
calls_that_a_killed_pe_was_in_end_with_it() {
  write_program 'shmemx_region_begin("outer"); shmemx_region_begin("inner"); shmemx_region_end("inner"); if (me == 2) shmemx_region_begin("inner");
  if (me == 0) shmem_barrier_all(); if (me == 1) { usleep(300000); raise(SIGKILL); }
  shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, 1);'
  trace_of_end 137 3
  in_trace "$unfinished"' == [(0, "shmem_barrier_all", "p.c:14 in main", "PE 0 was ended with the job"), (2, "shmem_uint64_wait_until", "p.c:15 in main", "PE 2 was ended with the job")]'
  in_trace '[(e["pid"], e["name"]) for e in events if e.get("cat") == "end" and e["s"] == "p"] == [(0, "PE 0 was ended with the job"), (1, "PE 1 was ended by signal 9 (Killed)"), (2, "PE 2 was ended with the job")]'
  in_trace 'all(c["dur"] > 200000 for c in calls if "unfinished" in c.get("args", {}))'
  in_trace '[(c["pid"], c["name"], c["inside"]) for c in calls if c["cat"] == "region" and "unfinished" in c.get("args", {})] == [(0, "outer", ""), (1, "outer", ""), (2, "outer", ""), (2, "inner", "outer")]'
}
calls_of_a_job_that_is_ended_end_with_it() {
  write_program 'if (me == 0) shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, 1);
  if (getenv("EXIT")) { usleep(100000); shmem_global_exit(4); }
  shmem_barrier_all();'
  EXIT=1 trace_of_end 4 2
  in_trace "$unfinished"' == [(0, "shmem_uint64_wait_until", "p.c:13 in main", "PE 0 was ended with the job"), (1, "shmem_global_exit", "p.c:14 in main", "PE 1 ended with status 4")]'
  local all='[(0, "shmem_uint64_wait_until", "p.c:13 in main", "PE 0 was ended with the job"), (1, "shmem_barrier_all", "p.c:15 in main", "PE 1 was ended with the job")]'
  trace_of_end 124 2 --timeout=1
  in_trace "$unfinished == $all"
  trace_of_end 35 2 --check
  in_trace "$unfinished == $all"
}
calls_of_all_threads_end_with_a_killed_pe() {
  cat >"$scratch/p.c" <<'END'
#include <pthread.h>
#include <shmem.h>
#include <signal.h>
#include <unistd.h>
static uint64_t flag;
static void *work(void *ignored) {
  shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, 1);
  return ignored; }
int main(void) {
  int level;
  pthread_t others[3];
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level);
  for (int i = 0; i < 3; i++) pthread_create(&others[i], NULL, work, NULL);
  usleep(300000);
  raise(SIGKILL);
}
END
  trace_of_end 137 1
  in_trace "$unfinished"' == 3 * [(0, "shmem_uint64_wait_until", "p.c:7 in work", "PE 0 was ended by signal 9 (Killed)")] and {c["tid"] for c in calls} == {1, 2, 3}'
}
a_small_buffer_keeps_the_last_calls_and_says_so() {
  traced 'for (int i = 0; i < 1000; ++i) shmem_long_p(heap, i, next); shmem_quiet();' 2 --trace-size=4800
  expect grep -qE '[0-9,]+ earlier events had no room' "$scratch/err"
  in_trace 'len(calls) == 200 and sum(c["name"] == "shmem_quiet" for c in calls) == 2'
}
calls_behind_a_second_init_that_allows_threads_are_in_the_trace() {
  traced 'for (int i = 0; i < 100; ++i) shmem_long_p(heap, i, next);
  shmem_finalize();
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &me);
  for (int i = 0; i < 50; ++i) shmem_long_p(box, i, next);'
  in_trace 'sum(c["name"] == "shmem_long_p" and c["pid"] == 0 for c in calls) == 150'
}
threads_have_rows_and_names_of_their_own() {
  cat >"$scratch/p.c" <<'END'
#include <pthread.h>
#include <shmem.h>
#include <shmemx.h>
static long box[3];
static pthread_barrier_t together;
static void *work(void *thread) {
  for (int i = 0; i < 50; ++i) {
    shmemx_region_begin(thread);
    shmem_long_p(&box[*(char *)thread - 'a'], i, (shmem_my_pe() + 1) % shmem_n_pes());
    shmemx_region_end(thread);
  }
  pthread_barrier_wait(&together);
  return NULL;
}
int main(void) {
  int level;
  pthread_t others[2];
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level);
  shmem_barrier_all();
  pthread_barrier_init(&together, NULL, 3);
  pthread_create(&others[0], NULL, work, "b");
  pthread_create(&others[1], NULL, work, "c");
  work("a");
  pthread_join(others[0], NULL);
  pthread_join(others[1], NULL);
  shmem_finalize();
}
END
  compile -O2 -pthread; trace 3
  in_trace 'sorted((pid, name) for (pid, tid), name in named.items()) == [(pid, f"thread {t}") for pid in range(3) for t in range(3)]'
  in_trace '{pid for (pid, tid), name in named.items() if tid == pid and name == "thread 0"} == {0, 1, 2}'
  in_trace '{t: {c["name"] for c in calls if c["tid"] == t and c["cat"] == "region"} for t in threads} == {t: {c["inside"] for c in calls if c["tid"] == t and c["inside"]} for t in threads}'
  in_trace 'sum(c["name"] == "shmem_long_p" and c["inside"] in "abc" for c in calls) == 450'
}
where_ticks_are_long_calls_and_arrows_are_where_they_belong() {
  "$LONG_TICKS" "$scratch/run.json" 2>"$scratch/err" || skip "$(cat "$scratch/err")"
  in_trace '[(b["pid"], at(b), e["pid"], e["name"], e["dur"]) for b, e in flows] == [(0, ("shmem_long_p", "an unknown place"), 1, "shmem_long_wait_until", 1.2)]'
  in_trace '[(c["name"], c["inside"]) for c in calls if c["pid"] == 0] == [("outer", ""), ("shmem_long_p", "outer"), ("shmem_long_p", "shmem_long_p"), ("shmem_quiet", "outer"), ("inner", "outer"), ("shmem_fence", "inner"), ("shmem_long_p", ""), ("skewed", ""), ("shmem_fence", "skewed")]'
}
regions_are_bars_and_rows() {
  traced 'shmemx_region_begin("outer"); shmemx_region_begin("inner"); shmem_putmem(heap, box, 100, next); shmemx_region_end("inner");
  shmem_quiet(); shmemx_region_end("outer");' 2 --profile
  in_trace 'sorted(c["name"] for c in calls if c["cat"] == "region") == ["inner", "inner", "outer", "outer"]'
  expect grep -qE ' 2 +2 +200 B +inner$' "$scratch/err"
  expect grep -qE ' 2 +4 +200 B +outer$' "$scratch/err"
  in_numbers p.profile 'of("calls in region", "outer")[0]["calls"] == "4" and number("calls in region", "inner") < number("region", "inner")'
}
# A region within itself is once in the table, and has room for 16.
regions_within_themselves_are_counted_once() {
  write_program 'for (int i = 0; i < 20; ++i) shmemx_region_begin("deep"); shmem_putmem(heap, box, 100, next); usleep(100000);
  for (int i = 0; i < 20; ++i) shmemx_region_end("deep"); shmemx_region_begin("flat"); usleep(300000); shmemx_region_end("flat");'
  compile -O2; expect_status 0 in_scratch --profile -n 2 ./p
  expect grep -qE ' 32 +2 +200 B +deep$' "$scratch/err"; expect grep -qE ' 2 +0 +0 B +flat$' "$scratch/err"
  expect grep -qx '  8 times a region began that there was no room for' "$scratch/err"
  in_numbers p.profile 'number("region", "deep") < number("region", "flat")'
}
regions_do_nothing_otherwise() {
  write_program 'shmemx_region_begin("a"); shmemx_region_end("a"); shmemx_region_end(NULL);'; compile -O2
  expect_status 0 oshrun -n 2 "$scratch/p"
  cp "$scratch/p.c" "$scratch/p.cpp"; "$BUILD_TREE/bin/oshc++" "$scratch/p.cpp" -o "$scratch/q"
  expect_status 0 oshrun -n 2 "$scratch/q"
}
a_trace_that_cannot_be_written_is_told_before_the_job() {
  write_program 'puts("it ran");'; compile -O2
  for file in /nowhere/run.json /proc/run.json "$scratch"; do
    expect_status 1 oshrun --trace="$file" -n 2 "$scratch/p"
    says "cannot write '$file'"; expect [ ! -s "$scratch/out" ]
  done
}
# `oshrun --trace ./other ./program`, where somebody took the file for optional.
what_is_no_trace_is_not_replaced_by_one() {
  write_program 'puts("it ran");'; compile -O2; printf '#!/bin/sh\n' >"$scratch/other"; chmod +x "$scratch/other"
  printf 'a,b\n' >"$scratch/table"; : >"$scratch/empty"; chmod +x "$scratch/empty"
  for file in other table p.c empty; do
    cp "$scratch/$file" "$scratch/before"
    expect_status 1 oshrun --trace "$scratch/$file" -n 2 "$scratch/p"
    says "cannot write '.*/$file': it holds something else than a trace; try another name"; expect [ ! -s "$scratch/out" ]
    expect cmp "$scratch/$file" "$scratch/before"
  done
}
a_trace_replaces_an_earlier_one() {
  traced ''; chmod +x "$scratch/run.json"; trace; : >"$scratch/run.json"; chmod -x "$scratch/run.json"; trace
  in_trace '{c["pid"] for c in calls} == {0, 1}'
}
a_full_disk_is_told_for_the_trace() {
  [ -w /dev/full ] || skip "there is no /dev/full"
  write_program ''; compile -O2
  expect_status 1 oshrun --trace=/dev/full -n 2 "$scratch/p"
  says "cannot write '/dev/full'.*" ; says 'No space left|without nlohmann'
}
a_full_disk_leaves_the_trace_that_was_there() {
  write_program 'for (int i = 0; i < 2000; ++i) shmem_long_p(heap, i, next);'; compile -O2; mkdir "$scratch/disk"
  unshare -rm mount -t tmpfs -o size=8k none "$scratch/disk" 2>/dev/null || skip "no mounts"
  expect_status 1 unshare -rm sh -c 'mount -t tmpfs -o size=8k none "$1/disk"; echo "{}" >"$1/disk/run.json"
    "$2" --trace="$1/disk/run.json" -n 2 "$1/p"; status=$?; cat "$1/disk/run.json" >&2; ls "$1/disk"; exit $status' sh "$scratch" "$BUILD_TREE/bin/oshrun"
  ! grep -q 'without nlohmann-json' "$scratch/err" || skip "built without nlohmann-json"
  says "cannot write '.*disk/run.json'"; says 'nothing of it is left'; says '^{}$'
  expect [ "$(grep -c part "$scratch/out")" = 0 ]
}
# The others wait for PE 0, which waits for a file.
function write_waiter {
  write_program 'if (me == 0) { shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, n - 1); while (access("go", F_OK) != 0) usleep(10000); }
  else shmem_uint64_atomic_inc(&flag, 0);
  shmem_barrier_all();'
  compile -O2
}
top_says_who_waits_for_whom() {
  write_waiter; cd "$scratch" || exit 1
  start_oshrun --top=0.2 -n 2 ./p >out 2>err
  expect_soon grep -qE '^ +1 .* shmem_barrier_all [0-9.]+ m?s, for PE 0 \(p.c:15 in main\)$' err
  expect_soon grep -qE '^ +0 .* 800 B +computing [0-9.]+ m?s$' err
  touch go; wait "$launcher"; expect [ $? = 0 ]; launcher=
}
atrium_top_looks_at_a_running_job() {
  write_waiter; cd "$scratch" || exit 1
  start_oshrun --profile -n 2 ./p >out 2>err
  looks_right() { "$BUILD_TREE/bin/atrium-top" -1 "$launcher" >top 2>&1; grep -qE '^ +1 .* shmem_barrier_all .*, for PE 0 ' top; }
  expect_soon looks_right
  touch go; wait "$launcher"; launcher=
}
records_lie_elsewhere_where_memory_files_are_refused() {
  local without=(python3 "$SOURCE_TREE/tests/fault/without_call.py" memfd_create)
  need python3; "${without[@]}" true 2>/dev/null || skip "seccomp filters cannot be set here"
  write_waiter; cd "$scratch" || exit 1
  "${without[@]}" "$BUILD_TREE/bin/oshrun" -q --profile -n 2 ./p >out 2>err & launcher=$!
  looks_right() { "$BUILD_TREE/bin/atrium-top" -1 "$launcher" >top 2>&1; grep -qE '^ +1 .* shmem_barrier_all .*, for PE 0 ' top; }
  expect_soon looks_right
  touch go; wait "$launcher"; expect [ $? = 0 ]; launcher=
}
# seen_in ROWS COLUMNS: what one look shows in a terminal of that size is in `top`.
function seen_in {
  SHELL=/bin/sh timeout 30 script -qec "stty rows $1 cols $2; exec $BUILD_TREE/bin/atrium-top -1 $launcher" /dev/null </dev/null | tr -d '\r' >top
}
what_every_pe_does_fits_into_a_small_terminal() {
  need_terminal; write_waiter; cd "$scratch" || exit 1
  start_oshrun --profile -n 6 ./p >out 2>err
  looks_right() { seen_in 30 100; [ "$(grep -cE '^ +[1-5] .* shmem_barrier_all .*, for PE 0 ' top)" = 5 ]; }
  expect_soon looks_right
  seen_in 6 60; expect grep -qE '^ *1-5 .* 3.91 KiB  shmem_barrier_all ' top; expect [ "$(wc -l <top)" = 3 ]
  expect [ "$(awk 'length > 59' top | wc -l)" = 0 ]
  touch go; wait "$launcher"; launcher=
}
atrium_top_says_why_it_sees_nothing() {
  expect_status 1 "$BUILD_TREE/bin/atrium-top" -1 $$
  says 'records nothing that you may see'
  expect_status 2 "$BUILD_TREE/bin/atrium-top" -1 one
}
atrium_top_has_help_and_a_version() {
  for word in --help -h; do expect_status 0 "$BUILD_TREE/bin/atrium-top" $word; expect grep -q '^usage: atrium-top' "$scratch/out"; done
  for word in --version -V; do expect_status 0 "$BUILD_TREE/bin/atrium-top" $word; expect grep -qx 'atrium-top (Atrium) [0-9.]*' "$scratch/out"; done
  expect_status 2 "$BUILD_TREE/bin/atrium-top" --bogus; says '^usage: atrium-top'
}
