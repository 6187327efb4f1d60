# How races are told, and where they are not.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317
. "$SOURCE_TREE/tests/race/programs.sh"

# Which of the two PEs sees it first is chance.
function report_of { sed -n '/is putting$/,/times)$/s/PE [01]/PE N/gp' "$1"; }
the_how_to_prints_what_it_says() {
  local page=$SOURCE_TREE/docs/howto/find-a-race.md
  sed -n '/^```c$/,/^```$/p; /^```$/q' "$page" | sed '/^```/d' >"$scratch/smooth.c"
  "$BUILD_TREE/bin/oshcc" -g -O2 -fatrium-race "$scratch/smooth.c" -o "$scratch/smooth"
  expect_status 66 checked -n 2 "$scratch/smooth"
  report_of "$scratch/err" >"$scratch/said"; report_of "$page" >"$scratch/promised"
  expect [ -s "$scratch/said" ]; expect diff "$scratch/promised" "$scratch/said"
  sed -i '22s/.*/    shmem_barrier_all();/' "$scratch/smooth.c"
  "$BUILD_TREE/bin/oshcc" -g -O2 -fatrium-race "$scratch/smooth.c" -o "$scratch/smooth"
  expect_status 0 checked -n 2 "$scratch/smooth"; expect [ ! -s "$scratch/err" ]
}
suppressed_races_are_neither_told_nor_counted() {
  seen 'if (me != 1) shmem_long_p(&x, me, 1);' 3
  for pattern in 'line p.c:12' 'variable x' 'function mai?' 'routine shmem_long_*' 'file p.c'; do
    echo "$pattern" >"$scratch/list"
    expect_status 0 env ATRIUM_RACES_SUPPRESS="$scratch/list" ATRIUM_QUIET=1 "$BUILD_TREE/bin/oshrun" --check=races -n 3 "$scratch/p"
    expect [ ! -s "$scratch/err" ]
  done
  echo 'line q.c:12' >"$scratch/list"
  expect_status 66 env ATRIUM_RACES_SUPPRESS="$scratch/list" ATRIUM_QUIET=1 "$BUILD_TREE/bin/oshrun" --check=races -n 3 "$scratch/p"
}
races_as_json_are_read_by_tools() {
  seen 'if (me != 1) shmem_long_p(&x, me, 1);' 3
  expect_status 66 env ATRIUM_RACES_JSON="$scratch/races.json" "$BUILD_TREE/bin/oshrun" --check=races -n 3 "$scratch/p"
  expect python3 -c 'import json, sys
reports = json.load(open(sys.argv[1]))
assert len(reports) == 1, reports
assert reports[0]["fault"] == "race" and reports[0]["access"]["line"] == 12 and reports[0]["other"]["routine"] == "shmem_long_p"
' "$scratch/races.json"
}
without_debug_information_the_function_is_named() {
  write_program 'if (me != 1) shmem_long_p(&x, me, 1);'
  "$BUILD_TREE/bin/oshcc" -O1 "$scratch/p.c" -o "$scratch/p"
  expect_status 66 checked -n 3 "$scratch/p"; says 'main of p'; says 'no lines of p: compile it with -g'
  strip "$scratch/p"
  expect_status 66 checked -n 3 "$scratch/p"; says 'p\+0x'; says 'no lines of p: '
  compile -O1; expect_status 66 checked -n 3 "$scratch/p"; expect [ "$(grep -c 'no lines' "$scratch/err")" = 0 ]
}
# Most loaders put the second library where the first was.
a_library_that_is_loaded_in_the_place_of_another_has_its_own_lines() {
  printf '#include <shmem.h>\nvoid use(long *to) { static long x[10];\n\n\n shmem_long_put(to, x, 10, 0); }\n' >"$scratch/first.c"
  printf '#include <shmem.h>\nvoid use(long *to) { static long x[10];\n shmem_long_put(to, x, 10, 0); shmem_long_put(to, x, 5, 0); }\n' >"$scratch/other.c"
  compile_library first; compile_library other
  write_program 'for (int i = 0; i < 200; i++) {
    void *library = dlopen(i % 2 ? "'"$scratch"'/other.so" : "'"$scratch"'/first.so", RTLD_NOW);
    void (*use)(long *) = (void (*)(long *))dlsym(library, "use");
    if (me == 0) use(heap);
    shmem_barrier_all(); dlclose(library); }'
  sed -i '1i #include <dlfcn.h>' "$scratch/p.c"
  compile -O1 -fatrium-race -ldl; expect_status 66 checked -n 2 "$scratch/p"
  says '^atrium: race: PE 0 writes 40 bytes that it is putting: other.c:3 and other.c:3$'
  expect [ "$(grep -cE 'first|\+0x|unknown place' "$scratch/err")" = 0 ]
}
a_program_that_is_ended_has_said_what_it_saw() {
  write_program 'if (me != 1) shmem_long_p(&x, me, 1); shmem_barrier_all(); if (me == 1) shmem_global_exit(5); for (;;) shmem_barrier_all();'
  compile -O1
  expect_status 5 checked -n 3 "$scratch/p"; says 'race: PE'
}
a_fork_is_not_checked() {
  write_program 'if (me == 0 && fork() == 0) { x = 9; heap[1] = 2; _exit(0); } else { while (wait(NULL) > 0) {} }'
  sed -i '1i #include <unistd.h>\n#include <sys/wait.h>' "$scratch/p.c"
  compile -O1 -fatrium-race
  expect_status 0 checked -n 2 "$scratch/p"
}
