# The time line as an OTF2 archive: what otf2-print, the reader of the library's authors, makes of it.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317,SC2154
. "$SOURCE_TREE/tests/profile/programs.sh"

otf2_library=$("$BUILD_TREE/bin/atrium-info" | sed -n 's/^ *OTF2 *\(lib[^ :]*\):.*/\1/p')

# archived BODY [PES [FLAG]]
function archived { write_program "$1"; compile -O2; archive "${@:2}"; }
function archive {
  [ -n "$otf2_library" ] || skip "built without OTF2"
  (cd "$scratch" && oshrun --trace=run.otf2 ${2:+"$2"} -n "${1:-2}" ./p >out 2>err) || complain "$(cat "$scratch/err")"
  read_back
}
function read_back {
  command -v otf2-print >/dev/null || skip "otf2-print is not installed"
  otf2-print "$scratch/run.otf2/traces.otf2" >"$scratch/events" 2>&1
  otf2-print -G "$scratch/run.otf2/traces.otf2" >"$scratch/definitions" 2>&1
  ! grep -iE 'error|warning' "$scratch/events" "$scratch/definitions" || complain "otf2-print does not like it"
  in_archive 'True'
}
# in_archive PYTHON: an expression that is true of `events`, in the order of time; `enters`, of routines and regions; `definitions`.
# What must be so of all archives is looked at each time.
function in_archive {
  python3 - "$scratch" "$1" <<'END' || complain "$1"
import collections, json, os, re, sys
Event = collections.namedtuple("Event", "kind location time text")
folder = sys.argv[1]
events, definitions = [], open(folder + "/definitions").read()
for line in open(folder + "/events"):
    found = re.match(r"([A-Z_]+) +(\d+) +(\d+)(?: +(.*))?$", line)
    if found: events.append(Event(found[1], int(found[2]), int(found[3]), found[4] or ""))
    elif "ADDITIONAL ATTRIBUTES" in line: events[-1] = events[-1]._replace(text=events[-1].text + line.strip())
def region(event): return re.match('Region: "(.*?)"', event.text)[1]
def of(*kinds): return [e for e in events if e.kind in kinds]
locations = {int(i): int(n) for i, n in re.findall(r"^LOCATION +(\d+) .*# Events: (\d+)", definitions, re.M)}
assert locations == {l: sum(e.location == l for e in events) for l in locations}, "numbers of events"
for location in locations:
    stack, last, open_operations = [], 0, set()
    for e in (e for e in events if e.location == location):
        assert e.time >= last, "time goes back"
        last = e.time
        if e.kind == "ENTER": stack.append(region(e))
        if e.kind == "LEAVE": assert stack.pop() == region(e), "a leave of another region"
        matching = re.search(r"Matching: (\d+)", e.text)
        if e.kind in ("RMA_PUT", "RMA_GET", "RMA_ATOMIC"):
            assert matching[1] not in open_operations, "an operation's number is used twice"
            open_operations.add(matching[1])
        elif matching: open_operations.remove(matching[1])
    assert not stack and not open_operations, "something is left open"
begins = collections.Counter(e.location for e in of("RMA_COLLECTIVE_BEGIN"))
assert begins == collections.Counter(e.location for e in of("RMA_COLLECTIVE_END"))
enters = [e for e in of("ENTER") if region(e) != "p"]
sys.exit(not eval(sys.argv[2]))
END
}
an_archive_has_the_calls_that_the_json_has() {
  archived 'for (int i = 0; i < 5; ++i) { shmemx_region_begin("round"); shmem_long_put(heap, box, 100, next);
    shmem_long_g(heap, next); shmemx_region_end("round"); }
  shmem_long_atomic_inc(heap, next); shmem_quiet(); shmem_barrier_all(); shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1);' 3
  (cd "$scratch" && oshrun --trace=run.json -n 3 ./p >out 2>err)
  ! grep -q 'without nlohmann-json' "$scratch/err" || skip "built without nlohmann-json"
  in_archive 'collections.Counter((e.location, region(e)) for e in enters) == collections.Counter(
    (c["pid"], c["name"]) for c in json.load(open(folder + "/run.json"))["traceEvents"] if c["ph"] == "X") and len(enters) > 50'
}
puts_gets_and_atomics_are_records_with_target_and_bytes() {
  archived 'shmem_long_put(heap, box, 100, next); shmem_long_get(box, heap, 10, next);
  shmem_long_atomic_fetch_add(heap, 1, next); shmem_long_atomic_inc(heap, next);' 3
  in_archive 'len(of("RMA_PUT")) == 3 and all(f"Remote: {(e.location + 1) % 3} " in e.text and "Bytes: 800," in e.text for e in of("RMA_PUT"))'
  in_archive 'len(of("RMA_GET")) == 3 and all(f"Remote: {(e.location + 1) % 3} " in e.text and "Bytes: 80," in e.text for e in of("RMA_GET"))'
  in_archive 'sorted(re.search("Type: .*Received: .", e.text)[0] for e in of("RMA_ATOMIC")) == 3 * ["Type: FETCH_AND_ADD, Sent: 8, Received: 8"] + 3 * ["Type: INCREMENT, Sent: 0, Received: 0"]'
  in_archive 'len(of("RMA_OP_COMPLETE_BLOCKING")) == 12'
  in_archive 'all("\"p.c:13 in main\"" in e.text and "/p.c:13\"" in e.text for e in enters if region(e) == "shmem_long_put")'
}
what_does_not_block_is_complete_at_the_next_quiet() {
  archived 'shmem_ctx_t ctx; shmem_ctx_create(0, &ctx); shmem_long_put_nbi(heap, box, 100, next); shmem_ctx_long_put_nbi(ctx, heap, box, 50, next);
  shmem_ctx_quiet(ctx); shmem_quiet(); shmem_long_get_nbi(box, heap, 10, next);'
  in_archive 'not of("RMA_OP_COMPLETE_BLOCKING") and len(of("RMA_OP_COMPLETE_NON_BLOCKING")) == 6'
  in_archive '[(re.search(r"Matching: (.)", e.text)[1], region(next(n for n in events[i:] if n.kind == "LEAVE" and n.location == 1)))
    for i, e in enumerate(events) if e.kind == "RMA_OP_COMPLETE_NON_BLOCKING" and e.location == 1] == [
    ("2", "shmem_ctx_quiet"), ("1", "shmem_quiet"), ("3", "shmem_finalize")]'
}
collectives_say_who_takes_part() {
  archived 'shmem_team_t even; shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, 2, NULL, 0, &even);
  if (even != SHMEM_TEAM_INVALID) shmem_long_broadcast(even, &sum, &mine, 1, 1);
  shmem_long_fcollect(SHMEM_TEAM_WORLD, heap, &mine, 1);' 3
  in_archive '[(e.location, re.search(r"Window: .*", e.text)[0]) for e in sorted(of("RMA_COLLECTIVE_END"), key=lambda e: e.location) if "Operation: BCAST" in e.text] == [
    (0, "Window: \"team of 2 PEs from PE 0\" <1>, Level of Synchronicity: {PROCESS}, Root: 1 (\"PE 2\" <2>), Sent: 0, Received: 8"),
    (2, "Window: \"team of 2 PEs from PE 0\" <1>, Level of Synchronicity: {PROCESS}, Root: 1 (\"PE 2\" <2>), Sent: 8, Received: 0")]'
  in_archive 'sum("ALLGATHER," in e.text and "TEAM_WORLD" in e.text and e.text.endswith("Sent: 8, Received: 24") for e in of("RMA_COLLECTIVE_END")) == 3'
  in_archive 'definitions.count("\nCOMM ") == 2 and re.search(r"GROUP .*\"team of 2 PEs.*2 Members: 0 .*, 2 ", definitions)'
}
# Viewers count collectives; PE 0 has lost the first of them.
a_collective_that_a_page_has_lost_is_a_mere_call() {
  archived 'shmem_barrier_all(); if (me == 0) for (int i = 0; i < 200; ++i) shmem_long_p(heap, i, next); shmem_barrier_all();' 2 --trace-size=4800
  in_archive 'sum(region(e) == "shmem_barrier_all" for e in enters) == 3 and sum("Operation: BARRIER" in e.text for e in of("RMA_COLLECTIVE_END")) == 4'
  in_archive 'not any("ALLOCATE" in e.text for e in of("RMA_COLLECTIVE_END"))'
}
waits_say_whose_store_ended_them() {
  archived 'if (me == 0) { usleep(200000); shmem_put64_signal(heap, box, 50, &flag, 1, SHMEM_SIGNAL_SET, 1); }
  else shmem_signal_wait_until(&flag, SHMEM_CMP_EQ, 1);'
  in_archive '[(e.location, region(e)) for e in of("LEAVE") if "(\"ended by PE\" <2>; UINT32; 0)" in e.text and
    "\"shmem_put64_signal at p.c:13 in main\"" in e.text] == [(1, "shmem_signal_wait_until")]'
  in_archive 'len(of("RMA_WAIT_CHANGE")) == 1'
}
each_thread_has_a_location() {
  write_program 'pthread_t other; pthread_create(&other, NULL, work, heap); work(heap); pthread_join(other, NULL);'
  sed -i -e 's/shmem_init();/int level; shmem_init_thread(SHMEM_THREAD_MULTIPLE, \&level);/' -e 's/^int main/#include <pthread.h>\
static void *work(void *heap) { for (int i = 0; i < 1000; i++) shmem_long_p(heap, i, 0); return NULL; }\n&/' "$scratch/p.c"
  compile -O2 -pthread; archive 2
  in_archive 'sorted(locations) == [0, 1, 1 << 32, 1 << 32 | 1] and re.search(r"LOCATION +4294967297 +Name: \"PE 1, thread 1\".*Group: \"PE 1 of p\"", definitions)'
  in_archive 'all(sum(region(e) == "shmem_long_p" for e in enters if e.location & 1 == pe) == 2000 for pe in (0, 1))'
}
# Nobody has left a barrier that a member did not come to.
calls_that_a_killed_pe_was_in_say_so() {
  [ -n "$otf2_library" ] || skip "built without OTF2"
  write_program 'if (me == 0) shmem_barrier_all(); usleep(300000); raise(SIGKILL);'; compile -O2
  expect_status 137 in_scratch --trace=run.otf2 -n 2 ./p
  read_back
  in_archive '[(e.location, region(e)) for e in of("LEAVE") if "(\"unfinished\" <4>; STRING; \"PE 0 was ended with the job\"" in e.text] == [(0, "shmem_barrier_all"), (0, "p")]'
  in_archive '[(e.location, region(e)) for e in of("LEAVE") if "STRING; \"PE 1 was ended by signal 9 (Killed)\"" in e.text] == [(1, "p")]'
  in_archive 'not any("BARRIER" in e.text for e in of("RMA_COLLECTIVE_END"))'
}
pretended_nodes_are_in_the_machine() {
  archived 'shmem_long_put(heap, box, 100, next);' 3 --nodes=1+2
  in_archive 're.findall(r"^LOCATION_GROUP .*Name: \"PE (.) of p\".*Parent: \"node::node (.)\"", definitions, re.M) == [("0", "0"), ("1", "1"), ("2", "1")]'
  in_archive 'len(of("RMA_PUT")) == 3'
}
a_second_run_replaces_the_archive() {
  archived 'if (me == 0) shmem_long_p(heap, 1, next);' 3
  in_archive 'len(locations) == 3'
  (cd "$scratch" && oshrun --trace=run.otf2/ -n 2 ./p >out 2>err) || complain "$(cat "$scratch/err")"
  read_back; in_archive 'len(locations) == 2'
  expect [ ! -e "$scratch/run.otf2/traces/2.evt" ]
}
a_folder_that_is_no_archive_is_left_alone() {
  [ -n "$otf2_library" ] || skip "built without OTF2"
  write_program ''; compile -O2; mkdir -p "$scratch/run.otf2/traces"; touch "$scratch/run.otf2/traces.def" "$scratch/run.otf2/traces/12.evt.mine"
  expect_status 1 oshrun --trace="$scratch/run.otf2" -n 2 "$scratch/p"
  says "cannot write '.*run.otf2'"; says 'something else than an archive'
  expect [ -e "$scratch/run.otf2/traces.def" ]; expect [ -e "$scratch/run.otf2/traces/12.evt.mine" ]
}
an_archive_that_cannot_be_made_is_told_before_the_job() {
  [ -n "$otf2_library" ] || skip "built without OTF2"
  write_program 'puts("it ran");'; compile -O2; touch "$scratch/file.otf2"
  expect_status 1 oshrun --trace=/nowhere/run.otf2 -n 2 "$scratch/p"
  says "cannot write '/nowhere/run.otf2'"; says 'No such file or directory'
  expect [ ! -e /nowhere ]
  expect_status 1 oshrun --trace="$scratch/file.otf2" -n 2 "$scratch/p"
  says "cannot write '.*file.otf2'"; says 'Not a directory'
  expect_status 1 oshrun --trace=/proc/run.otf2 -n 2 "$scratch/p"
  says "cannot write '/proc/run.otf2'"; expect [ ! -s "$scratch/out" ]
}
a_full_disk_is_told_for_the_archive() {
  [ -n "$otf2_library" ] || skip "built without OTF2"
  write_program 'for (int i = 0; i < 20000; ++i) shmem_long_p(heap, i, next);'; compile -O2; mkdir "$scratch/disk"
  unshare -rm mount -t tmpfs -o size=64k none "$scratch/disk" 2>/dev/null || skip "no mounts"
  expect_status 1 unshare -rm sh -c 'mount -t tmpfs -o size=64k none "$1/disk"; "$2" --trace="$1/disk/run.otf2" -n 2 "$1/p"; status=$?
    ls "$1/disk" >&2; exit $status' sh "$scratch" "$BUILD_TREE/bin/oshrun"
  says "cannot write '.*disk/run.otf2'"; says 'No space left'
  does_not_say '^run.otf2$'
}
# A file of its name that is none stands in the way.
a_missing_library_is_told_before_the_job() {
  [ -n "$otf2_library" ] || skip "built without OTF2"
  write_program 'puts("it ran");'; compile -O2; mkdir "$scratch/hidden"; touch "$scratch/hidden/$otf2_library"
  LD_LIBRARY_PATH=$scratch/hidden expect_status 1 oshrun --trace="$scratch/run.otf2" -n 2 "$scratch/p"
  says "cannot write '.*run.otf2'"; says 'try installing the OTF2 library'
  expect [ ! -s "$scratch/out" ]; expect [ ! -e "$scratch/run.otf2" ]
  LD_LIBRARY_PATH=$scratch/hidden expect_status 0 oshrun -n 2 "$scratch/p"
}
