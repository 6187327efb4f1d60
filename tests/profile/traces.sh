# The time line of oshrun --trace, what oshrun --top and atrium-top show, regions.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317,SC2154
. "$SOURCE_TREE/tests/profile/programs.sh"

# traced BODY [PES [FLAG]]
function traced {
  write_program "$1"; compile -O2
  (cd "$scratch" && oshrun --trace=run.json ${3:+"$3"} -n "${2:-2}" ./p >out 2>err) || complain "$(cat "$scratch/err")"
  ! grep -q 'without nlohmann-json' "$scratch/err" || skip "built without nlohmann-json"
}
# in_trace PYTHON: an expression that is true of `events`, `calls` and `flows`.
function in_trace {
  python3 - "$scratch/run.json" "$1" <<'END' || complain "$1"
import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
calls = [e for e in events if e["ph"] == "X"]
begins, ends = ([e for e in events if e["ph"] == ph] for ph in "sf")
assert len(begins) == len(ends) and [b["id"] for b in begins] == [e["id"] for e in ends]
flows = list(zip(begins, ends))
def slice_of(point):
    return next(c for c in calls if (c["pid"], c["tid"]) == (point["pid"], point["tid"])
                and c["ts"] <= point["ts"] <= c["ts"] + c["dur"] + 0.002)
def at(point): return slice_of(point)["name"], slice_of(point)["args"]["line"]
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
  in_trace '[(at(b), at(e)) for b, e in flows if slice_of(e)["name"] == "shmem_signal_wait_until"] == [(("shmem_put64_signal", "p.c:14 in main"), ("shmem_signal_wait_until", "p.c:15 in main"))]'
  in_trace '[(b["pid"], at(b)[0], e["pid"]) for b, e in flows if slice_of(e)["name"] == "shmem_long_wait_until"] == [(1, "shmem_long_p", 0)]'
  in_trace '[(b["pid"], at(b)[0], e["pid"]) for b, e in flows if slice_of(e)["name"] == "shmem_uint64_wait_until"] == [(0, "shmem_uint64_atomic_inc", 1)]'
}
a_small_buffer_keeps_the_last_calls_and_says_so() {
  traced 'for (int i = 0; i < 1000; ++i) shmem_long_p(heap, i, next); shmem_quiet();' 2 --trace-size=4800
  expect grep -qE '[0-9,]+ earlier events had no room' "$scratch/err"
  in_trace 'len(calls) == 200 and sum(c["name"] == "shmem_quiet" for c in calls) == 2'
}
regions_are_bars_and_rows() {
  traced 'shmemx_region_begin("outer"); shmemx_region_begin("inner"); shmem_putmem(heap, box, 100, next); shmemx_region_end("inner");
  shmem_quiet(); shmemx_region_end("outer");' 2 --profile
  in_trace 'sorted(c["name"] for c in calls if c["cat"] == "region") == ["inner", "inner", "outer", "outer"]'
  expect grep -qE ' 2 +2 +200 B +inner$' "$scratch/err"
  expect grep -qE ' 2 +4 +200 B +outer$' "$scratch/err"
}
regions_do_nothing_otherwise() {
  write_program 'shmemx_region_begin("a"); shmemx_region_end("a"); shmemx_region_end(NULL);'; compile -O2
  expect_status 0 oshrun -n 2 "$scratch/p"
  cp "$scratch/p.c" "$scratch/p.cpp"; "$BUILD_TREE/bin/oshc++" "$scratch/p.cpp" -o "$scratch/q"
  expect_status 0 oshrun -n 2 "$scratch/q"
}
a_trace_that_cannot_be_written_is_told() {
  write_program ''; compile -O2
  expect_status 1 oshrun --trace=/nowhere/run.json -n 2 "$scratch/p"
  says "cannot write '/nowhere/run.json'"
}
a_full_disk_is_told_for_the_trace() {
  [ -w /dev/full ] || skip "there is no /dev/full"
  write_program ''; compile -O2
  expect_status 1 oshrun --trace=/dev/full -n 2 "$scratch/p"
  says "cannot write '/dev/full'.*" ; says 'No space left|without nlohmann'
}
# PE 1 waits for PE 0, which waits for a file.
function write_waiter {
  write_program 'if (me == 0) { shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, 1); while (access("go", F_OK) != 0) usleep(10000); }
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
atrium_top_says_why_it_sees_nothing() {
  expect_status 1 "$BUILD_TREE/bin/atrium-top" -1 $$
  says 'records nothing that you may see'
  expect_status 2 "$BUILD_TREE/bin/atrium-top" -1 one
}
