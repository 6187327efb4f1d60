# What clang puts into programs, at link time and in loops.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317
. "$SOURCE_TREE/tests/race/programs.sh"

# The loop over private memory has no call on its short way, and what is reported keeps its line.
clang_puts_the_short_way_into_programs_at_link_time() {
  [ -r "$BUILD_TREE/lib/atrium-race/inlined.o" ] || { echo "clang is missing"; return 77; }
  export OSHCC_CC=clang
  write_program 'for (long i = 0; i < n; i++) mine += y[i];
  if (me == 0) shmem_long_put(y, heap, 10, 1); else printf("%ld %ld", mine, y[3]);'
  "$BUILD_TREE/bin/oshcc" -g -O2 -flto -fatrium-race "$scratch/p.c" -o "$scratch/p" 2>"$scratch/err" || {
    grep -q 'LLVMgold\|lld' "$scratch/err" && echo "clang cannot optimise at link time" && return 77
    complain "it does not compile: $(cat "$scratch/err")"
  }
  objdump -d "$scratch/p" >"$scratch/code"
  expect grep -q 'call.*atrium_race_load' "$scratch/code"
  expect [ -z "$(grep 'call.*__tsan_read8' "$scratch/code")" ]
  expect_status 66 checked -n 2 "$scratch/p"
  says 'PE 1 +load, 8 bytes +p.c:13 in main'
  says 'shmem_long_put, 80 bytes'
}
# clang looks at no access of more than 16 bytes: a vectorised loop would read several cells by one. A loop that is unrolled
# has many instructions of one line.
loops_that_clang_would_vectorise_are_seen() {
  command -v clang >/dev/null || { echo "clang is missing"; return 77; }
  export OSHCC_CC=clang
  write_program 'struct { long value, kind; } *cells = (void *)y; if (me == 0) shmem_long_put(y, heap, 96, 1); else {
    for (int i = 0; i < 480; i++) mine += cells[i].value;
    for (int i = 0; i < 480; i++) if (cells[i].kind == 0) cells[i].kind = mine; }'
  compile -O3 -fatrium-race; expect_status 66 checked -n 2 "$scratch/p"
  says 'PE 1 +load, 8 bytes +p.c:13 in main'; says 'PE 1 +(load|store), 8 bytes +p.c:14 in main'
  expect [ "$(grep '^atrium: race: .*p.c:13' "$scratch/err" | sort | uniq -d | wc -l)" = 0 ]
}
# Without -mcx16 clang calls libatomic on x86-64, and on AArch64 nothing has to be asked for.
atomics_of_sixteen_bytes_are_followed_by_clang_too() {
  command -v clang >/dev/null || { echo "clang is missing"; return 77; }
  export OSHCC_CC=clang
  local flags=(-O2 -fatrium-race)
  [ "$(uname -m)" != x86_64 ] || flags+=(-mcx16)
  write_program 'unsigned __int128 *w = shmem_align(16, 16), *at; *w = 0; shmem_barrier_all(); at = shmem_ptr(w, 1);
  if (me == 0) { *(long *)shmem_ptr(y, 1) = 3; __atomic_store_n(at, 1, __ATOMIC_RELEASE); } else { while (__atomic_load_n(w, __ATOMIC_ACQUIRE) != 1) {} printf("%ld", y[0]); }'
  compile "${flags[@]}"; expect_status 0 checked -n 2 "$scratch/p"; expect [ ! -s "$scratch/err" ]
  sed -i 's/__ATOMIC_ACQUIRE/__ATOMIC_RELAXED/' "$scratch/p.c"
  compile "${flags[@]}"; expect_status 66 checked -n 2 "$scratch/p"
}
