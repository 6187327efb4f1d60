# Which accesses meet which: operations that are under way, parts of pages, blocks of the heap that come and go.
#
# Tests: SYNC race-states race-moves
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317
. "$SOURCE_TREE/tests/race/programs.sh"

buffers_of_nonblocking_operations_are_in_use_until_quiet() {
  seen_when_instrumented 'if (me == 0) { shmem_long_get_nbi(&mine, &x, 1, 1); printf("%ld", mine); }'
  says 'its buffer is in use until a quiet'
  seen_when_instrumented 'if (me == 0) { shmem_long_put_nbi(&x, &mine, 1, 1); mine = 3; }'
  clean 'if (me == 0) { shmem_long_get_nbi(&mine, &x, 1, 1); shmem_quiet(); printf("%ld", mine); mine = 4; }'
}
# What the PE has accessed itself in the same breath, between two synchronisations, hides no operation that it has issued since.
# each_of VERDICT BODY...: of PE 0. `at` is PE 1's `x` as a load sees it.
function each_of {
  local verdict=$1 body bodies=(); shift
  for body; do
    bodies+=("long *page = shmem_calloc(3000, 8), *at = shmem_ptr(&x, 1); page += 512 - (uintptr_t)page % 4096 / 8; volatile long sink = 0;
      if (me == 0) { $body } (void)sink, (void)at, (void)page;")
  done
  "$verdict" "${bodies[@]}"
}
a_buffer_is_in_use_although_it_was_accessed_before_too() {
  each_of seen_all_when_instrumented \
    'sink = y[0]; shmem_long_get_nbi(y, heap, 64, 1); sink = y[0];' \
    'y[0] = 1; shmem_long_get_nbi(y, heap, 64, 1); y[0] = 2;' \
    'y[0] = 1; sink = y[0]; y[0] = 2; shmem_long_get_nbi(y, heap, 64, 1); sink = y[0];' \
    'heap[3] = 1; shmem_long_put_nbi(y, heap, 64, 1); heap[3] = 2;' \
    'y[0] = 1; shmem_long_put_nbi(heap, y, 1, 1); y[0] = 2;' \
    'y[0] = 1; shmem_long_put_nbi(heap, y, 64, 1); shmem_fence(); y[0] = 2;' \
    'memset(y, 1, 512); shmem_putmem_nbi(heap, y, 512, 1); memset(y, 2, 512);' \
    'memset(page, 1, 8192); shmem_putmem_nbi(page + 1024, page, 8192, 1); page[600] = 2;' \
    'page[600] = 1; shmem_putmem_nbi(page + 1024, page, 8192, 1); page[600] = 2;' \
    'y[0] = 1; shmem_long_put_signal_nbi(heap, y, 64, &flag, 1, SHMEM_SIGNAL_SET, 1); y[0] = 2;' \
    'y[0] = 1; shmem_long_atomic_fetch_nbi(y, &x, 1); sink = y[0];' \
    'sink = y[0]; shmem_long_atomic_fetch_inc_nbi(y, &x, 1); sink = y[0];' \
    'y[0] = 1; shmem_ctx_t c; shmem_ctx_create(0, &c); shmem_ctx_long_put_nbi(c, heap, y, 64, 1); shmem_quiet(); y[0] = 2; shmem_ctx_destroy(c);'
  says 'its buffer is in use until a quiet'
  each_of clean_all \
    'y[0] = 1; shmem_long_put_nbi(heap, y, 64, 1); sink = y[0]; shmem_quiet(); y[0] = 2;' \
    'sink = y[0]; shmem_long_get_nbi(y, heap, 64, 1); sink = y[64]; y[64] = 2; shmem_quiet(); sink = y[0];' \
    'y[0] = 1; shmem_long_put(heap, y, 64, 1); y[0] = 2;' \
    'sink = y[0]; shmem_long_get(y, heap, 64, 1); sink = y[0]; y[0] = 2;' \
    'y[0] = 1; shmem_long_iput(heap, y, 1, 2, 8, 1); y[0] = 2;' \
    'y[0] = 1; shmem_long_put_signal(heap, y, 64, &flag, 1, SHMEM_SIGNAL_SET, 1); y[0] = 2;' \
    'for (int i = 0; i < 4; i++) { memset(page, i, 8192); shmem_putmem_nbi(page + 1024, page, 8192, 1); shmem_quiet(); }' \
    'shmem_ctx_t c; shmem_ctx_create(0, &c); y[0] = 1; shmem_ctx_long_put_nbi(c, heap, y, 64, 1); shmem_ctx_quiet(c); y[0] = 2; shmem_ctx_destroy(c);'
}
a_target_is_written_although_it_was_accessed_before_too() {
  each_of seen_all \
    'sink = shmem_long_g(&x, 1); shmem_long_p(&x, 1, 1); sink = shmem_long_g(&x, 1);' \
    'shmem_long_get(heap, y, 8, 1); shmem_long_put(y, heap, 8, 1); shmem_long_get(heap, y, 8, 1);' \
    'shmem_long_get(heap, y, 8, 1); shmem_long_iput(y, heap, 1, 1, 8, 1); shmem_long_get(heap, y, 8, 1);' \
    'shmem_getmem(page, page + 1024, 8192, 1); shmem_putmem(page + 1024, page, 8192, 1); shmem_getmem(page, page + 1024, 8192, 1);'
  each_of seen_all_when_instrumented \
    'x = 1; shmem_long_put(&x, heap, 1, 0); sink = x;' \
    'y[1] = 1; shmem_long_put(y, heap, 8, 0); y[1] = 2;' \
    '*at = 1; shmem_long_put(&x, heap, 1, 1); *at = 2;' \
    'sink = *at; shmem_long_put_nbi(&x, heap, 1, 1); sink = *at;'
  each_of clean_all \
    'sink = shmem_long_g(&x, 1); shmem_long_p(&x, 1, 1); shmem_quiet(); sink = shmem_long_g(&x, 1);' \
    '*at = 1; shmem_long_put(&x, heap, 1, 1); shmem_quiet(); *at = 2;'
}
an_overrun_names_the_block_and_its_line() {
  seen 'if (me == 0) shmem_long_put(heap + 95, y, 10, 1);'
  says 'overrun: PE 0 writes outside of a block'
  says '0 bytes behind the block of 800 bytes from shmem_calloc, p.c:10, on PE 1'
  seen_when_instrumented 'if (me == 0) heap[100] = 3;'
  says 'store, 8 bytes'
}
a_freed_block_is_not_to_be_used() {
  seen_when_instrumented 'shmem_free(heap); if (me == 0) printf("%ld", heap[3]);'
  says 'loads a block that was freed'
  says '  freed  p.c:12 in main'
}
memory_that_nobody_wrote_is_not_to_be_read() {
  seen_when_instrumented 'long *raw = shmem_malloc(80); raw[1] = 0; if (me == 0) printf("%ld", raw[2]);'
  says 'symmetric memory that nobody has written'
  clean 'long *raw = shmem_malloc(80); raw[1] = 0; memset(raw, 0, 80); shmem_barrier_all(); if (me == 0) printf("%ld", raw[2]);'
  clean 'long *raw = shmem_malloc(80); if (me == 1) shmem_long_put(raw, y, 10, 0); shmem_barrier_all(); if (me == 0) printf("%ld", raw[2]);'
}
whole_pages_and_their_parts_meet() {
  seen_when_instrumented 'long *big = shmem_calloc(100000, 8); if (me == 0) shmem_putmem(big, big, 800000, 1); else printf("%ld", big[50000]);'
  says 'PE 1 +load, 8 bytes'
  seen_when_instrumented 'long *big = shmem_calloc(100000, 8); if (me == 1) big[50000] = 1; if (me == 0) shmem_putmem(big, big, 800000, 1);'
  clean 'long *big = shmem_calloc(100000, 8); for (int i = 0; i < 3; i++) { big[50000] = me; shmem_barrier_all(); shmem_putmem(big, y, 8000, 1 - me);
         if (me == 0) shmem_putmem(big + 1000, big + 1000, 400000, 1); shmem_barrier_all(); }'
}
# A sync says which access comes first, and completes no put.
sectors_of_pages_and_their_parts_meet() {
  seen_when_instrumented 'long *big = shmem_calloc(2000, 8); if (me == 0) shmem_putmem(big + 100, big, 1600, 1);
         shmem_sync_all(); if (me == 1) printf("%ld", big[250]);'
  says 'PE 1 +load, 8 bytes'; says 'byte 2,000 of the block of 16,000 bytes'
  clean 'long *big = shmem_calloc(2000, 8); if (me == 0) shmem_putmem(big + 100, big, 1600, 1); else printf("%ld", big[99] + big[300]);'
}
sectors_that_a_loop_puts_are_all_remembered() {
  local aligned='char *page = shmem_calloc(16384, 1); page += 4096 - (uintptr_t)page % 4096;
    for (int step = 0; step < 9; step++) {
      if (me == 0) for (int i = 0; i < 16; i++) shmem_putmem(page + 512 * i, y, 512, 1); else printf("%d", page[8192]);
      shmem_barrier_all();
    }'
  clean "$aligned"
  seen_when_instrumented "$aligned"'
    if (me == 0) for (int i = 0; i < 16; i++) shmem_putmem(page + 512 * i, y, 512, 1);
    shmem_sync_all(); if (me == 1) printf("%d", page[3 * 512]);'
  says 'PE 1 +load, 1 byte '; expect [ "$(grep -c ' times' "$scratch/err")" = 0 ]
}
random_transfers_are_judged_as_a_plain_model_judges_them() {
  cp "$SOURCE_TREE/tests/race/random_transfers.c" "$scratch/p.c"; compile -O1 -fatrium-race
  local seed pes
  local -A status=([race]=66 [clean]=0)
  for seed in {1..24}; do
    pes=$((seed % 4 + 1))
    expect_status "${status[$(oshrun -n $pes "$scratch/p" "$seed" 2>/dev/null)]}" checked -n $pes "$scratch/p" "$seed"
  done
}
whole_pages_of_freed_blocks_are_not_to_be_used() {
  seen 'char *big = shmem_malloc(800000), *page = big + (4096 - (uintptr_t)big % 4096); for (int i = 0; i < 3; i++) {
           shmem_putmem(page, y, 4096, 1 - me); shmem_barrier_all(); } shmem_free(big); if (me == 0) shmem_putmem(page, y, 4096, 1);'
  says 'use after free: PE 0 writes'
  seen 'long *big = shmem_malloc(40000); if (me == 0) shmem_putmem(big, big, 40000, 1); big = shmem_realloc(big, 20000);
         if (me == 0) shmem_putmem(big, big, 24000, 1);'
  says 'bytes behind the block of 20,000 bytes from shmem_realloc'
}
# With -mcmodel=medium large objects lie in segments of their own, behind constants.
large_objects_in_segments_of_their_own_are_seen() {
  [ "$(uname -m)" = x86_64 ] || { echo "x86's compilers have this model"; return 77; }
  write_program 'static const long constants[20000] = {1}; static long large[20000] = {2};
  mine = *(const volatile long *)&constants[n]; if (me != 1) shmem_long_p(&large[7], mine, 1);'
  compile -O2 -mcmodel=medium
  expect_status 66 checked -n 3 "$scratch/p"
  says 'where  .* of PE 1 \(static\)'
}
