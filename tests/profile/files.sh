# The files that oshrun --profile writes: the page, and the table of numbers.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317,SC2154
. "$SOURCE_TREE/tests/profile/programs.sh"

the_page_and_the_table_of_numbers_are_written() {
  seen 'shmem_putmem(heap, box, 700, next); shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1);' 3
  says 'written: p.profile.html'; says 'written: p.profile.csv'
  expect grep -q '<title>Profile of p</title>' "$scratch/p.profile.html"
  expect grep -qE "^<p>20[0-9-]+ [0-9:]+ [A-Z+0-9-]+, $(uname -n), Atrium [0-9.]+(, 3 PEs shared [12] CPUs?)?</p>$" "$scratch/p.profile.html"
  expect grep -qE '^<p><code>.*oshrun --profile -n 3 ./p</code></p>$' "$scratch/p.profile.html"
  expect grep -q 'p.c:13 in main' "$scratch/p.profile.html"
  expect grep -qE '^line,shmem_putmem,.*p.c,13,main,,,3,2100,' "$scratch/p.profile.csv"
  expect grep -qE '^traffic,put,,,,0,1,1,700,' "$scratch/p.profile.csv"
  expect [ "$(grep -cvE '^("[^"]*"|[^,]*)(,("[^"]*"|[^,]*)){11}$' "$scratch/p.profile.csv")" = 0 ]
  python3 - "$scratch/p.profile.html" <<'END' || complain "the page needs something from elsewhere, or is no good HTML"
import html.parser, re, sys
text, stack = open(sys.argv[1]).read(), []
class Reader(html.parser.HTMLParser):
    def handle_starttag(self, tag, attributes):
        assert not {"src", "href"} & {name for name, _ in attributes}, tag
        if tag != "meta": stack.append(tag)
    def handle_startendtag(self, tag, attributes): assert not {"src", "href"} & {name for name, _ in attributes}, tag
    def handle_endtag(self, tag): assert stack.pop() == tag, tag
Reader().feed(text)
assert not stack and "url(" not in text and "<script" not in text
END
}
who_waited_for_whose_signal_is_on_the_page_of_a_traced_job() {
  write_program 'for (unsigned i = 1; i <= 3; ++i) {
    if (me == 1) { usleep(100000); shmem_putmem_signal(heap, box, 8, &flag, i, SHMEM_SIGNAL_SET, 0); }
    if (me == 0) shmem_signal_wait_until(&flag, SHMEM_CMP_EQ, i);
    shmem_barrier_all(); }'; compile -O2
  expect_status 0 profiled -n 2 ./p; expect grep -q 'Only a trace knows which PE has ended a wait' "$scratch/p.profile.html"
  expect_status 0 profiled --trace=run.json -n 2 ./p; expect grep -q 'Who waited for whose signal' "$scratch/p.profile.html"
  expect [ "$(grep -c 'Only a trace' "$scratch/p.profile.html")" = 0 ]
  expect grep -qE '<td>0</td><td class="name">p.c:15 in main, shmem_signal_wait_until</td><td>1</td><td class="name">p.c:14 in main, shmem_putmem_signal</td><td>[1-3]</td>' "$scratch/p.profile.html"
  write_program 'shmem_barrier_all();'; compile -O2
  expect_status 0 profiled -n 2 ./p; expect [ "$(grep -c 'whose signal' "$scratch/p.profile.html")" = 0 ]
}
another_name_of_the_files() {
  write_program ''; compile -O2
  mkdir "$scratch/there"; expect_status 0 in_scratch --profile=there/run -n 2 ./p
  expect [ -s "$scratch/there/run.html" ]; expect [ -s "$scratch/there/run.csv" ]
}
a_file_that_cannot_be_written_is_told_before_the_job() {
  write_program 'puts("it ran");'; compile -O2
  expect_status 1 oshrun --profile=/nowhere/run -n 2 "$scratch/p"
  says "cannot write '/nowhere/run.html'"
  says 'No such file'; expect [ ! -s "$scratch/out" ]
  mkdir "$scratch/run.csv"; expect_status 1 oshrun --profile="$scratch/run" -n 2 "$scratch/p"
  says "cannot write '.*/run.csv'"; expect [ ! -s "$scratch/out" ]; expect [ ! -e "$scratch/run.html" ]
}
a_full_disk_is_told() {
  [ -w /dev/full ] || skip "there is no /dev/full"
  write_program ''; compile -O2; ln -s /dev/full "$scratch/run.html"
  expect_status 1 oshrun --profile="$scratch/run" -n 2 "$scratch/p"
  says 'No space left on device'; says 'what is there is not whole'
}
a_full_disk_leaves_the_page_that_was_there() {
  write_program ''; compile -O2; mkdir "$scratch/disk"
  unshare -rm mount -t tmpfs -o size=8k none "$scratch/disk" 2>/dev/null || skip "no mounts"
  expect_status 1 unshare -rm sh -c 'mount -t tmpfs -o size=8k none "$1/disk"; echo before >"$1/disk/run.html"
    "$2" --profile="$1/disk/run" -n 2 "$1/p"; status=$?; cat "$1/disk/run.html" >&2; ls "$1/disk"; exit $status' sh "$scratch" "$BUILD_TREE/bin/oshrun"
  says "cannot write '.*disk/run.html'"; says 'nothing of it is left, and what was there before stays'; says '^before$'
  expect [ "$(grep -c part "$scratch/out")" = 0 ]
}
a_file_keeps_its_mode_and_a_link_stays_one() {
  write_program ''; compile -O2; touch "$scratch/real.csv"; chmod 640 "$scratch/real.csv"; ln -s real.csv "$scratch/run.csv"
  expect_status 0 oshrun --profile="$scratch/run" -n 2 "$scratch/p"
  expect [ -L "$scratch/run.csv" ]; expect [ "$(stat -c %a "$scratch/real.csv")" = 640 ]; expect [ -s "$scratch/real.csv" ]
}
