# More of something than the checker has places for: races may be missed, none is made up.
#
# Tests: SYNC tool-contexts
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317
. "$SOURCE_TREE/tests/race/programs.sh"

function ordered { write_program "$1"; compile -O1 -fatrium-race; expect_status 0 checked -n "${2:-2}" "$scratch/p"; }
function in_order { # as `ordered`, and nothing is said but that a table is full
  ordered "$@"; expect [ -z "$(grep -v ': some races are not seen$' "$scratch/err")" ]
}
# Its numbers in the world are not those in the team.
contexts_of_teams_come_and_go() {
  ordered 'for (int i = 0; i < 4200; i++) {
      shmem_team_t team; shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 1, 2, NULL, 0, &team);
      if (team == SHMEM_TEAM_INVALID) continue;
      shmem_ctx_t context; if (shmem_team_create_ctx(team, 0, &context) != 0) shmem_global_exit(1);
      if (i > 4190 && me == 2) { shmem_ctx_long_p(context, &x, 1, 1); shmem_ctx_quiet(context); }
      shmem_ctx_destroy(context); shmem_team_destroy(team); }
    if (me == 0) shmem_long_p(&x, 5, 1);' 3
  expect [ ! -s "$scratch/err" ]
}
contexts_are_made_and_found_by_many_threads() {
  write_program 'int got; shmem_query_thread(&got); if (got != SHMEM_THREAD_MULTIPLE) shmem_global_exit(1);
    pthread_t t[4]; for (long i = 0; i < 4; i++) pthread_create(&t[i], NULL, puts_to_itself, y + 10 * i);
    for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);'
  sed -i 's/shmem_init()/shmem_init_thread(SHMEM_THREAD_MULTIPLE, \&(int){0})/; s/^int main/static void *puts_to_itself(void *to) {\n  for (int i = 0; i < 2000; i++) {\n    shmem_ctx_t c[2];\n    for (int k = 0; k < 2; k++) if (shmem_ctx_create(0, \&c[k]) != 0) shmem_global_exit(1);\n    for (int k = 0; k < 2; k++) shmem_ctx_long_p(c[k], (long *)to + k, i, shmem_my_pe());\n    for (int k = 0; k < 2; k++) shmem_ctx_destroy(c[k]);\n  }\n  return NULL;\n}\n&/; 1i #include <pthread.h>' "$scratch/p.c"
  compile -O1 -fatrium-race -pthread; expect_status 0 checked -n 2 "$scratch/p"; expect [ ! -s "$scratch/err" ]
}
contexts_that_have_no_number_of_their_own_are_followed() {
  local many='static shmem_ctx_t c[4200]; shmem_team_t back; shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &back);
    for (int i = 0; i < 4200; i++) if (shmem_team_create_ctx(back, 0, &c[i]) != 0) shmem_global_exit(1);'
  in_order "$many"' if (me == 0) { shmem_ctx_long_put(c[4199], y, heap, 10, 0); shmem_ctx_fence(c[4199]); shmem_ctx_uint64_atomic_set(c[4199], &flag, 1, 0); }
    else { shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, 1); printf("%ld", y[9]); }'
  says '^atrium: race check: more contexts at a time'
  seen_when_instrumented "$many"' if (me == 0) shmem_ctx_long_put(c[4199], y, heap, 10, 0); else printf("%ld", y[9]);'
}
teams_without_a_place_order_their_members() {
  local many='shmem_team_t t[90]; for (int i = 0; i < 60; i++) shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &t[i]);'
  in_order "$many"' for (int i = 0; i < 60; i++) {
      if (me == 0) { shmem_long_p(&x, i, 1); shmem_quiet(); } shmem_team_sync(t[i]);
      if (me == 1) printf("%ld", x); shmem_team_sync(t[i]); }
    for (int i = 0; i < 30; i++) { shmem_team_destroy(t[2 * i]); shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &t[60 + i]); }
    for (int i = 1; i < 90; i += i < 60 ? 2 : 1) {
      heap[0] = i; shmem_team_sync(t[i]); shmem_long_collect(t[i], heap + 10, heap, 1 + (size_t)me);
      if (heap[10] != i) shmem_global_exit(1);
      shmem_team_sync(t[i]); heap[10] = heap[11] + heap[12]; shmem_long_sum_reduce(t[i], heap + 20, heap, 1); heap[20] = 0; }' 3
  says '^atrium: race check: more teams and active sets'
  seen_when_instrumented "$many"' shmem_team_sync(t[59]); if (me == 0) shmem_long_p(&x, 1, 1); shmem_team_sync(t[59]); if (me == 1) printf("%ld", x);'
}
active_sets_without_a_place_order_their_members() {
  in_order 'static long sync[SHMEM_BARRIER_SYNC_SIZE]; shmem_team_t t[46];
    for (int i = 0; i < SHMEM_BARRIER_SYNC_SIZE; i++) sync[i] = SHMEM_SYNC_VALUE;
    for (int i = 0; i < 46; i++) shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &t[i]);
    shmem_barrier_all();
    for (int round = 0; round < 2; round++) {
      if (me == 0) shmem_long_p(&x, 5, 1); shmem_barrier(0, 0, n, sync); if (me == 1) printf("%ld", x);
      shmem_barrier_all(); shmem_team_destroy(t[round]); }' 3
}
