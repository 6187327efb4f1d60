# What is said of programs, racy and clean.
#
# Tests: SYNC tool-spin race-states race-moves
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317
. "$SOURCE_TREE/tests/race/programs.sh"

# Which of the two PEs sees it first is chance.
function report_of { sed -n '/is putting$/,/times)$/s/PE [01]/PE N/gp' "$1"; }
the_how_to_prints_what_it_says() {
  local page=$SOURCE_TREE/docs/howto/find-a-race.md
  sed -n '/^```c$/,/^```$/p' "$page" | sed '/^```/d' >"$scratch/smooth.c"
  "$BUILD_TREE/bin/oshcc" -g -O2 -fatrium-race "$scratch/smooth.c" -o "$scratch/smooth"
  expect_status 66 checked -n 2 "$scratch/smooth"
  report_of "$scratch/err" >"$scratch/said"; report_of "$page" >"$scratch/promised"
  expect [ -s "$scratch/said" ]; expect diff "$scratch/promised" "$scratch/said"
  sed -i '22s/.*/    shmem_barrier_all();/' "$scratch/smooth.c"
  "$BUILD_TREE/bin/oshcc" -g -O2 -fatrium-race "$scratch/smooth.c" -o "$scratch/smooth"
  expect_status 0 checked -n 2 "$scratch/smooth"; expect [ ! -s "$scratch/err" ]
}
two_puts_to_one_place_are_a_race_with_both_lines() {
  seen 'if (me != 1) shmem_long_p(&x, me, 1);' 3
  says 'race: PE [02] writes 8 bytes that PE [02] is putting: p.c:12 and p.c:12'
  says '  PE 0   shmem_long_p, 8 bytes +p.c:12 in main'
  says '  where  `x` of PE 1 \(static\)'
  says '  why    PE [02] has last heard of PE [02] by shmem_calloc, p.c:10'
  says '  try    .*shmem_barrier_all'
}
puts_of_one_pe_need_a_fence() {
  seen 'if (me == 0) { shmem_long_put(y, heap, 10, 1); shmem_long_put(y + 9, heap, 10, 1); }'
  says '; no fence or quiet since'
  says 'byte 72 of `y` of PE 1'
  clean 'if (me == 0) { shmem_long_put(y, heap, 10, 1); shmem_fence(); shmem_long_put(y + 9, heap, 10, 1); }'
}
a_get_behind_a_put_needs_a_quiet() {
  seen 'if (me == 0) { shmem_long_put(y, heap, 10, 1); shmem_long_get(heap, y, 10, 1); }'
  says '  try    shmem_quiet between them'
  clean 'if (me == 0) { shmem_long_put(y, heap, 10, 1); shmem_quiet(); shmem_long_get(heap, y, 10, 1); }'
}
a_load_races_with_a_put_that_only_a_barrier_orders() {
  seen_when_instrumented 'if (me == 0) shmem_long_put(y, heap, 10, 1); else printf("%ld", y[3]);'
  says 'PE 1 +load, 8 bytes +p.c:12 in main'
  says 'shmem_long_put, 80 bytes'
  clean 'if (me == 0) shmem_long_put(y, heap, 10, 1); shmem_barrier_all(); if (me == 1) printf("%ld", y[3]);'
}
a_sync_completes_nothing() {
  seen_when_instrumented 'if (me == 0) shmem_long_p(&x, 1, 1); shmem_sync_all(); if (me == 1) printf("%ld", x);'
  clean 'if (me == 0) shmem_long_p(&x, 1, 1); shmem_quiet(); shmem_sync_all(); if (me == 1) printf("%ld", x);'
}
a_signal_says_that_its_own_data_are_there() {
  clean 'if (me == 0) shmem_long_put_signal(y, heap, 10, &flag, 1, SHMEM_SIGNAL_SET, 1);
         else { shmem_signal_wait_until(&flag, SHMEM_CMP_EQ, 1); printf("%ld", y[3]); }'
}
a_signal_says_nothing_of_earlier_puts() {
  seen_when_instrumented 'if (me == 0) { shmem_long_p(&x, 1, 1); shmem_long_put_signal(y, heap, 10, &flag, 1, SHMEM_SIGNAL_SET, 1); }
         else { shmem_signal_wait_until(&flag, SHMEM_CMP_EQ, 1); printf("%ld", x); }'
  clean 'if (me == 0) { shmem_long_p(&x, 1, 1); shmem_fence(); shmem_long_put_signal(y, heap, 10, &flag, 1, SHMEM_SIGNAL_SET, 1); }
         else { shmem_signal_wait_until(&flag, SHMEM_CMP_EQ, 1); printf("%ld", x); }'
}
a_fence_is_no_news_for_a_third_pe() {
  seen_when_instrumented 'if (me == 0) { shmem_long_p(&x, 1, 1); shmem_fence(); shmem_uint64_atomic_set(&flag, 1, 2); }
         if (me == 2) { shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, 1); printf("%ld", shmem_long_g(&x, 1)); }' 3
  clean 'if (me == 0) { shmem_long_p(&x, 1, 1); shmem_quiet(); shmem_uint64_atomic_set(&flag, 1, 2); }
         if (me == 2) { shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, 1); printf("%ld", shmem_long_g(&x, 1)); }' 3
}
what_arrived_is_passed_on() {
  clean 'if (me == 0) shmem_long_put_signal(y, heap, 10, &flag, 1, SHMEM_SIGNAL_SET, 1);
         if (me == 1) { shmem_signal_wait_until(&flag, SHMEM_CMP_EQ, 1); shmem_uint64_atomic_set(&flag, 1, 2); }
         if (me == 2) { shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, 1); printf("%ld", shmem_long_g(&y[3], 1)); }' 3
}
a_lock_orders_what_it_guards() {
  clean 'static long lock; for (int i = 0; i < 20; i++) { shmem_set_lock(&lock); shmem_long_p(&x, shmem_long_g(&x, 0) + 1, 0); shmem_clear_lock(&lock); }' 3
}
buffers_of_nonblocking_operations_are_in_use_until_quiet() {
  seen_when_instrumented 'if (me == 0) { shmem_long_get_nbi(&mine, &x, 1, 1); printf("%ld", mine); }'
  says 'its buffer is in use until a quiet'
  seen_when_instrumented 'if (me == 0) { shmem_long_put_nbi(&x, &mine, 1, 1); mine = 3; }'
  clean 'if (me == 0) { shmem_long_get_nbi(&mine, &x, 1, 1); shmem_quiet(); printf("%ld", mine); mine = 4; }'
}
# What the PE has accessed itself in the same breath, between two synchronisations, hides no operation that it has issued since.
# each_of VERDICT BODY...: of PE 0. `at` is PE 1's `x` as a load sees it.
function each_of {
  local verdict=$1 body; shift
  for body; do
    echo "$verdict: $body"
    "$verdict" "long *page = shmem_calloc(3000, 8), *at = shmem_ptr(&x, 1); page += 512 - (uintptr_t)page % 4096 / 8; volatile long sink = 0;
      if (me == 0) { $body } (void)sink, (void)at, (void)page;"
  done
}
a_buffer_is_in_use_although_it_was_accessed_before_too() {
  each_of seen_when_instrumented \
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
  each_of clean \
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
  each_of seen \
    'sink = shmem_long_g(&x, 1); shmem_long_p(&x, 1, 1); sink = shmem_long_g(&x, 1);' \
    'shmem_long_get(heap, y, 8, 1); shmem_long_put(y, heap, 8, 1); shmem_long_get(heap, y, 8, 1);' \
    'shmem_long_get(heap, y, 8, 1); shmem_long_iput(y, heap, 1, 1, 8, 1); shmem_long_get(heap, y, 8, 1);' \
    'shmem_getmem(page, page + 1024, 8192, 1); shmem_putmem(page + 1024, page, 8192, 1); shmem_getmem(page, page + 1024, 8192, 1);'
  each_of seen_when_instrumented \
    'x = 1; shmem_long_put(&x, heap, 1, 0); sink = x;' \
    'y[1] = 1; shmem_long_put(y, heap, 8, 0); y[1] = 2;' \
    '*at = 1; shmem_long_put(&x, heap, 1, 1); *at = 2;' \
    'sink = *at; shmem_long_put_nbi(&x, heap, 1, 1); sink = *at;'
  each_of clean \
    'sink = shmem_long_g(&x, 1); shmem_long_p(&x, 1, 1); shmem_quiet(); sink = shmem_long_g(&x, 1);' \
    '*at = 1; shmem_long_put(&x, heap, 1, 1); shmem_quiet(); *at = 2;'
}
# There each has an order of its own: operations of a thread, what another does, and memory of a stack, which only one sees.
a_buffer_is_in_use_among_threads_too() {
  local after
  for after in 'shmem_quiet();' ''; do
    for buffer in 'static long buffer[64]' 'long buffer[64]'; do
      two_threads 'shared = 1;' "if (me == 0) { $buffer; buffer[3] = 1; shmem_long_get_nbi(buffer, y, 64, 1); $after printf(\"%ld\", buffer[3]); }"
      sed -i 's/shmem_init()/int got; shmem_init_thread(SHMEM_THREAD_MULTIPLE, \&got)/' "$scratch/p.c"
      compile -O1 -fatrium-race -pthread; expect_status $((${#after} ? 0 : 66)) checked -n 2 "$scratch/p"
    done
  done
  says 'its buffer is in use until a quiet'
}
messages_by_c11_atomics_are_ordered_as_their_orders_say() {
  local set='__atomic_store_n((long *)shmem_ptr(&x, 1), 1, __ATOMIC_' see='while (__atomic_load_n(&x, __ATOMIC_' means
  local data='static long data; long *away = shmem_ptr(&data, 1); if (me == 0) { *away = 42; '
  local release="__atomic_thread_fence(__ATOMIC_RELEASE); " acquire="__atomic_thread_fence(__ATOMIC_ACQUIRE); "
  local read='printf("%ld", data); }'
  for means in "${set}RELAXED); } else { ${see}RELAXED) == 0) {} $read" "${set}RELEASE); } else { ${see}RELAXED) == 0) {} $read" \
    "${set}RELAXED); } else { ${see}ACQUIRE) == 0) {} $read" "$release${set}RELAXED); } else { ${see}RELAXED) == 0) {} $read" \
    "${set}RELAXED); $release } else { ${see}ACQUIRE) == 0) {} $read" "${set}RELEASE); } else { $acquire ${see}RELAXED) == 0) {} $read"; do
    echo "race: $means"; seen_when_instrumented "$data$means"; says 'loads 8 bytes that PE 0 stores'
  done
  for means in "${set}RELEASE); } else { ${see}ACQUIRE) == 0) {} $read" "${set}SEQ_CST); } else { ${see}SEQ_CST) == 0) {} $read" \
    "$release${set}RELAXED); } else { ${see}ACQUIRE) == 0) {} $read" "${set}RELEASE); } else { ${see}RELAXED) == 0) {} $acquire $read" \
    "$release${set}RELAXED); } else { ${see}RELAXED) == 0) {} $acquire $read" \
    "__sync_synchronize(); ${set}RELAXED); } else { ${see}RELAXED) == 0) {} __sync_synchronize(); $read" \
    "${set}RELEASE); __atomic_fetch_add((long *)shmem_ptr(&x, 1), 1, __ATOMIC_RELAXED); } else { ${see}ACQUIRE) < 2) {} $read" \
    "${set}RELEASE); ${set/, 1,/, 2,}RELAXED); } else { ${see}ACQUIRE) < 2) {} $read"; do
    echo "clean: $means"; clean "$data$means"
  done
}
an_atomic_beside_a_plain_access_is_a_race() {
  seen_when_instrumented 'if (me == 0) shmem_long_atomic_add(&x, 1, 1); else x = 3;'
  seen 'if (me == 0) shmem_int_atomic_add((int*)&x, 1, 1); if (me == 2) shmem_long_atomic_add(&x, 1, 1);' 3
  says 'atomic operations of one type'
  clean 'shmem_long_atomic_add(&x, 1, 0); shmem_long_atomic_inc(&x, 0); (void)shmem_long_atomic_fetch(&x, 0);' 3
}
teams_that_descend_from_one_predefined_team_are_one_atomicity_domain() {
  local contexts='shmem_team_t a, b; shmem_ctx_t c, d; shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &a);
    shmem_team_split_strided(a, n - 1, -1, n, NULL, 0, &b); shmem_team_create_ctx(a, 0, &c); shmem_team_create_ctx(b, 0, &d);'
  clean "$contexts"' shmem_ctx_long_atomic_add(c, &x, 1, 0); shmem_ctx_long_atomic_add(d, &x, 1, n - 1);
    shmem_long_atomic_add(&x, 1, 0); shmem_ctx_quiet(c); shmem_ctx_quiet(d);' 3
  seen "${contexts/WORLD/SHARED}"' shmem_ctx_long_atomic_add(d, &x, 1, n - 1); shmem_long_atomic_add(&x, 1, 0); shmem_ctx_quiet(d);' 2
  says 'descend from one predefined team'
}
a_barrier_completes_the_default_context_only() {
  seen_when_instrumented 'shmem_ctx_t c; shmem_ctx_create(0, &c); if (me == 0) shmem_ctx_long_p(c, &x, 1, 1);
         shmem_barrier_all(); if (me == 1) printf("%ld", x); shmem_ctx_destroy(c);'
  says 'shmem_ctx_quiet on that context'
  clean 'shmem_ctx_t c; shmem_ctx_create(0, &c); if (me == 0) { shmem_ctx_long_p(c, &x, 1, 1); shmem_ctx_quiet(c); }
         shmem_barrier_all(); if (me == 1) printf("%ld", x); shmem_ctx_destroy(c);'
}
collectives_order_along_their_data() {
  clean 'heap[0] = me; shmem_barrier_all(); shmem_long_sum_reduce(SHMEM_TEAM_WORLD, heap + 10, heap, 1);
         if (heap[10] == 3) heap[0] = 7; shmem_long_broadcast(SHMEM_TEAM_WORLD, heap + 20, heap, 1, 1); printf("%ld", heap[20]);' 3
  seen_when_instrumented 'shmem_barrier_all(); shmem_long_sum_reduce(SHMEM_TEAM_WORLD, heap + 10, heap, 1); if (me == 0) shmem_long_p(&heap[10], 3, 1);' 3
}
members_of_a_team_synchronise_and_others_do_not() {
  clean 'shmem_team_t even; shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, 2, NULL, 0, &even);
         if (me == 0) { shmem_long_p(&x, 1, 2); shmem_quiet(); } if (even != SHMEM_TEAM_INVALID) shmem_team_sync(even);
         if (me == 2) printf("%ld", x);' 4
  seen_when_instrumented 'shmem_team_t even; shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, 2, NULL, 0, &even);
         if (me == 0) { shmem_long_p(&x, 1, 1); shmem_quiet(); } if (even != SHMEM_TEAM_INVALID) shmem_team_sync(even);
         if (me == 1) printf("%ld", x);' 4
}
flags_set_by_puts_are_a_note_and_not_a_race() {
  write_program 'if (me == 0) { shmem_long_put(y, heap, 10, 1); shmem_fence(); shmem_uint64_p(&flag, 1, 1); }
         else { shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, 1); printf("%ld", y[3]); }'
  compile -O1 -fatrium-race
  expect_status 0 checked -n 2 "$scratch/p"
  says '^atrium: note: '
  expect_status 66 oshrun --check=races,strict -n 2 "$scratch/p"
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
  for library in first other; do
    "$BUILD_TREE/bin/oshcc" -g -shared -fPIC "$scratch/$library.c" -o "$scratch/$library.so" || complain "it does not compile"
  done
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
many_pes_on_few_cpus_are_checked_too() {
  clean 'for (int i = 0; i < 3; i++) { shmem_long_p(&y[me], me, (me + 1) % n); shmem_barrier_all(); printf("%ld", y[(me + n - 1) % n]); shmem_barrier_all(); }' 64
}
function with_threads { sed -i '1i #include <pthread.h>\nstatic void *work(void *what); static long shared; static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;' "$scratch/p.c"; }
function two_threads { # BODY of the thread, BODY of the main thread meanwhile
  write_program "pthread_t t; pthread_create(&t, NULL, work, NULL); $2 pthread_join(t, NULL); shared++;"
  with_threads; echo "static void *work(void *what) { (void)what; $1 return NULL; }" >>"$scratch/p.c"
}
threads_of_a_pe_race_unless_they_synchronise() {
  two_threads 'shared = 1;' 'shared = 2;'; compile -O1 -fatrium-race -pthread
  expect_status 66 checked -n 1 "$scratch/p"; says 'race: PE 0 stores 8 bytes that it stores'
  two_threads 'pthread_mutex_lock(&mutex); shared = 1; pthread_mutex_unlock(&mutex);' \
    'pthread_mutex_lock(&mutex); shared = 2; pthread_mutex_unlock(&mutex);'; compile -O1 -fatrium-race -pthread
  expect_status 0 checked -n 1 "$scratch/p"
}
a_thread_does_not_synchronise_for_another() {
  two_threads 'shmem_long_p(&y[0], 1, 1); shmem_quiet();' 'shmem_sync_all(); if (shmem_my_pe() == 1) printf("%ld", y[0]);'
  sed -i 's/shmem_init()/int got; shmem_init_thread(SHMEM_THREAD_MULTIPLE, \&got)/; s/y\[1000\];/y[1000]; /' "$scratch/p.c"
  sed -i 's/^static void \*work(void \*what) {/& if (shmem_my_pe() == 1) return NULL;/' "$scratch/p.c"
  compile -O1 -fatrium-race -pthread
  expect_status 66 checked -n 2 "$scratch/p"; says 'race: PE'
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
clang_and_its_openmp_are_followed_too() {
  command -v clang >/dev/null || { echo "clang is missing"; return 77; }
  export OSHCC_CC=clang
  write_program 'if (me == 0) shmem_long_put(y, heap, 10, 1); else printf("%ld", y[3]);'
  compile -O2 -fatrium-race; expect_status 66 checked -n 2 "$scratch/p"; says 'PE 1 +load, 8 bytes +p.c:12 in main'; says '`y` of PE 1'
  write_program 'long sum = 0; _Pragma("omp parallel for reduction(+:sum)") for (int i = 0; i < 1000; i++) { y[i] = i; sum += y[i]; }
    _Pragma("omp parallel") { _Pragma("omp single") { for (int i = 0; i < 100; i++) _Pragma("omp task firstprivate(i)") y[i] += 1; }
    _Pragma("omp for") for (int i = 0; i < 1000; i++) y[i] += 1; } printf("%ld", sum);'
  "$BUILD_TREE/bin/oshcc" -g -fopenmp "$scratch/p.c" -o "$scratch/p" 2>/dev/null || { echo "clang has no OpenMP"; return 77; }
  compile -O1 -fopenmp -fatrium-race; expect_status 0 checked -n 2 "$scratch/p"
  sed -i 's/_Pragma("omp for")//' "$scratch/p.c"
  compile -O1 -fopenmp -fatrium-race; expect_status 66 env OMP_NUM_THREADS=2 "$BUILD_TREE/bin/oshrun" --check=races -n 2 "$scratch/p"
}
# Memory of tasks is used again by the libraries, without malloc; objects are copied there by the creator's own code.
what_tasks_are_given_is_theirs_alone() {
  cat >"$scratch/p.cpp" <<'END'
#include <shmem.h>
static long y[100];
struct Copied {
  int a[4];
  Copied(int i) { for (int &one : a) one = i; }
  Copied(const Copied &other) { for (int k = 0; k < 4; k++) a[k] = other.a[k]; }
};
int main() {
  shmem_init();
  for (int round = 0; round < 50; round++)
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 100; i++) {
      Copied copied(i);
      int array[6] = {i, i, i};
#pragma omp task firstprivate(copied, array)
      { copied.a[1]++; array[2]++; y[i] += copied.a[1] + array[2] + i; }
    }
  shmem_finalize();
}
END
  for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    OSHCXX_CXX=$compiler "$BUILD_TREE/bin/oshcxx" -g -O1 -fopenmp -fatrium-race "$scratch/p.cpp" -o "$scratch/p" || continue
    OMP_NUM_THREADS=4 expect_status 0 checked -n 2 "$scratch/p"; expect [ ! -s "$scratch/err" ]
  done
}
sections_and_tasks_are_followed_and_barriers_order_them() {
  write_program '_Pragma("omp parallel num_threads(2)") { _Pragma("omp sections") { _Pragma("omp section") y[0] = 1; _Pragma("omp section") y[0] = 2; } } printf("%ld", y[0]);'
  compile -O1 -fopenmp -fatrium-race; expect_status 66 checked -n 1 "$scratch/p"; says 'race: PE 0 stores'
  write_program 'long sum = 0; _Pragma("omp parallel for reduction(+:sum)") for (int i = 0; i < 1000; i++) { y[i] = i; sum += y[i]; }
    _Pragma("omp parallel") { _Pragma("omp single") { for (int i = 0; i < 100; i++) _Pragma("omp task firstprivate(i)") y[i] += 1; }
    _Pragma("omp for") for (int i = 0; i < 1000; i++) y[i] += 1; } printf("%ld", sum);'
  compile -O1 -fopenmp -fatrium-race; expect_status 0 checked -n 2 "$scratch/p"
}
