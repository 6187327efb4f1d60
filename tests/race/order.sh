# Which accesses OpenSHMEM orders: programs, racy and clean.
#
# Tests: SYNC tool-spin
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317
. "$SOURCE_TREE/tests/race/programs.sh"

two_puts_to_one_place_are_a_race_with_both_lines() {
  seen 'if (me != 1) shmem_long_p(&x, me, 1);' 3
  says 'race: PE [02] writes 8 bytes that PE [02] is putting: p.c:12 and p.c:12'
  says '  PE 0   shmem_long_p, 8 bytes +p.c:12 in main'
  says '  where  `x` of PE 1 \(static\)'
  says '  why    PE [02] last synchronised with PE [02] by shmem_calloc, p.c:10'
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
messages_by_c11_atomics_are_ordered_as_their_orders_say() {
  local set='__atomic_store_n((long *)shmem_ptr(&x, 1), 1, __ATOMIC_' see='while (__atomic_load_n(&x, __ATOMIC_' means racy=() ordered=()
  local data='static long x, data; long *away = shmem_ptr(&data, 1); if (me == 0) { *away = 42; '
  local release="__atomic_thread_fence(__ATOMIC_RELEASE); " acquire="__atomic_thread_fence(__ATOMIC_ACQUIRE); "
  local read='printf("%ld", data); }'
  for means in "${set}RELAXED); } else { ${see}RELAXED) == 0) {} $read" "${set}RELEASE); } else { ${see}RELAXED) == 0) {} $read" \
    "${set}RELAXED); } else { ${see}ACQUIRE) == 0) {} $read" "$release${set}RELAXED); } else { ${see}RELAXED) == 0) {} $read" \
    "${set}RELAXED); $release } else { ${see}ACQUIRE) == 0) {} $read" "${set}RELEASE); } else { $acquire ${see}RELAXED) == 0) {} $read"; do
    racy+=("$data$means")
  done
  seen_all_when_instrumented "${racy[@]}"
  expect [ "$(grep -c '^atrium: race: PE 1 loads 8 bytes that PE 0 stores$' "$scratch/err")" = ${#racy[@]} ]
  for means in "${set}RELEASE); } else { ${see}ACQUIRE) == 0) {} $read" "${set}SEQ_CST); } else { ${see}SEQ_CST) == 0) {} $read" \
    "$release${set}RELAXED); } else { ${see}ACQUIRE) == 0) {} $read" "${set}RELEASE); } else { ${see}RELAXED) == 0) {} $acquire $read" \
    "$release${set}RELAXED); } else { ${see}RELAXED) == 0) {} $acquire $read" \
    "__sync_synchronize(); ${set}RELAXED); } else { ${see}RELAXED) == 0) {} __sync_synchronize(); $read" \
    "${set}RELEASE); __atomic_fetch_add((long *)shmem_ptr(&x, 1), 1, __ATOMIC_RELAXED); } else { ${see}ACQUIRE) < 2) {} $read" \
    "${set}RELEASE); ${set/, 1,/, 2,}RELAXED); } else { ${see}ACQUIRE) < 2) {} $read"; do
    ordered+=("$data$means")
  done
  clean_all "${ordered[@]}"
}
# gcc makes calls of the checker of all of them, also where it would call libatomic otherwise.
atomics_of_sixteen_bytes_are_done_and_order_like_others() {
  local wide='typedef unsigned __int128 wide; wide *w = shmem_align(16, sizeof(wide)), *at, b = (wide)5 << 100 | 7, e = b; *w = 0; shmem_barrier_all(); at = shmem_ptr(w, 1);'
  clean "$wide"' if (me == 0 && (__atomic_exchange_n(at, b, 5) != 0 || __atomic_fetch_add(at, b, 5) != b || __atomic_fetch_sub(at, b, 5) != 2 * b ||
    __atomic_fetch_and(at, b >> 1, 5) != b || __atomic_fetch_or(at, b, 5) != (b & b >> 1) || __atomic_fetch_xor(at, b << 1, 5) != b ||
    __atomic_fetch_nand(at, b, 5) != (b ^ b << 1) || __atomic_load_n(at, 5) != (wide)~(b & (b ^ b << 1)) ||
    __atomic_compare_exchange_n(at, &e, 1, 0, 5, 5) || e != (wide)~(b & (b ^ b << 1)) || !__atomic_compare_exchange_n(at, &e, b, 1, 5, 5) ||
    (__atomic_store_n(at, 9, 5), __atomic_load_n(at, 5)) != 9)) shmem_global_exit(3);'
  local message='if (me == 0) { *(long *)shmem_ptr(y, 1) = 3; __atomic_store_n(at, b, __ATOMIC_RELEASE); } else { while (__atomic_load_n(w, __ATOMIC_ORDER) != b) {} printf("%ld", y[0]); }'
  clean "$wide ${message/ORDER/ACQUIRE} (void)e;"
  seen_when_instrumented "$wide ${message/ORDER/RELAXED} (void)e;"
  seen_when_instrumented "$wide"' if (me == 0) __atomic_fetch_add(at, e, 5); else *w = 3;'
  says 'atomic, 16 bytes'
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
many_pes_on_few_cpus_are_checked_too() {
  clean 'for (int i = 0; i < 3; i++) { shmem_long_p(&y[me], me, (me + 1) % n); shmem_barrier_all(); printf("%ld", y[(me + n - 1) % n]); shmem_barrier_all(); }' 64
}
