# Programs that finalize and initialise OpenSHMEM again, and those that nest the two.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2016,SC2317
. "$SOURCE_TREE/tests/race/programs.sh"

function told { expect [ "$(grep -cE "$1" "$scratch/err")" = "$2" ]; } # TEXT TIMES
# sessions BODY OUTSIDE [DECLARATIONS]: three sessions of BODY (`e` is 0, 1, 2), each followed by OUTSIDE.
function sessions {
  write_program ''
  sed -i '/^int main/,$d' "$scratch/p.c"
  cat >>"$scratch/p.c" <<END
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
long shared;
static void *add(void *what) { pthread_mutex_lock(&mutex); shared++; pthread_mutex_unlock(&mutex); return what; }
static void *set(void *what) { shared = 3; return what; }
int main(void) {
  pthread_t t, u;
  for (int e = 0; e < 3; e++) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n;
    (void)n, (void)next, (void)flag, (void)y, (void)t, (void)u, (void)add, (void)set, (void)me;
    $1
    shmem_finalize();
    $2
  }
}
END
}
function clean_sessions { # BODY OUTSIDE [PES]
  sessions "$1" "$2"
  local how
  for how in -O1 '-O1 -fatrium-race'; do
    # shellcheck disable=SC2086  # words of options
    compile $how -pthread
    expect_status 0 checked -n "${3:-2}" "$scratch/p"
    expect [ ! -s "$scratch/err" ]
  done
}

a_race_of_each_session_is_told_in_full_once() {
  seen_when_instrumented 'if (me == 0) shmem_long_put(y, heap, 10, 1); else printf("%ld", y[3]);
    shmem_finalize(); shmem_init(); shmem_finalize(); shmem_init();
    if (me == 0) shmem_long_p(&x, 1, 1); else printf("%ld", x);'
  told '^atrium: race: .*: p.c:12 and p.c:12$' 1; told '^atrium: race: .*: p.c:14 and p.c:14$' 1
  told '^  PE 0   shmem_long_put, 80 bytes +p.c:12 in main' 1; told '^  PE 1   load, 8 bytes +p.c:12 in main' 1
  told '^  PE 0   shmem_long_p, 8 bytes +p.c:14 in main' 1; told '^  PE 1   load, 8 bytes +p.c:14 in main' 1
  says '  why    PE [01] last synchronised with PE [01] by shmem_init, p.c:13'
  says '^atrium: race check: 1 pair of lines'; says '^atrium: race check: 2 pairs of lines'
}
a_race_of_calls_in_the_second_session_is_seen_in_any_program() {
  seen 'shmem_finalize(); shmem_init(); if (me != 1) shmem_long_p(&x, me, 1);' 3
  says '  PE 0   shmem_long_p, 8 bytes +p.c:12 in main'; says '  PE 2   shmem_long_p, 8 bytes +p.c:12 in main'
}
races_of_all_sessions_are_in_one_file() {
  write_program 'if (me != 1) shmem_long_p(&x, me, 1); shmem_finalize(); shmem_init();
    if (me != 1) shmem_long_p(&y[0], me, 1);'
  compile -O1; expect_status 66 checked -x ATRIUM_RACES_JSON="$scratch/races.json" -n 3 "$scratch/p"
  expect python3 -c 'import json, sys
assert sorted(one["access"]["line"] for one in json.load(open(sys.argv[1]))) == [12, 13]' "$scratch/races.json"
}
# One that is not the last is a barrier, and ends nothing.
a_program_that_nests_them_is_checked_to_the_last_finalize() {
  seen_when_instrumented 'shmem_init(); shmem_finalize(); if (me == 0) shmem_long_p(&x, 1, 1); else printf("%ld", x);'
  says '  why    PE [01] last synchronised with PE [01] by shmem_finalize, p.c:12'
  clean 'shmem_init(); if (me == 0) shmem_long_p(&x, 1, 1); shmem_finalize(); if (me == 1) printf("%ld", x + heap[1]);'
}
that_no_race_was_seen_is_said_once() {
  sessions '' ''; compile -O1
  expect_status 0 env -u ATRIUM_QUIET "$BUILD_TREE/bin/oshrun" --check=races -n 2 "$scratch/p"
  told '^atrium: race check: no race was seen$' 1; told '^atrium: race check: on: ' 1
}
# The heap begins anew, with blocks of other sizes at the same addresses; statics stay where they are, and are stored to between sessions.
memory_of_an_earlier_session_may_be_used_again() {
  clean_sessions 'long *big = shmem_malloc((size_t)8000 * (e + 1)), *small = shmem_calloc(100, 8);
    for (int i = 0; i < 1000 * (e + 1); i++) big[i] = me;
    shmem_long_put(small + 10 * e, big, 10, next); shmem_long_put_nbi(y, big, 1000, next); shmem_barrier_all();
    if (small[10 * e] != (me + n - 1) % n) shmem_global_exit(1);
    shmem_uint64_atomic_add(&flag, 1, next); shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, 1); flag = 0;
    if (e == 1) shmem_free(small); if (e == 2) shmem_long_p(&x, e, next);' 'x = y[1] = e;' 3
}
a_block_of_an_earlier_session_is_not_to_be_used() {
  seen_when_instrumented 'shmem_finalize(); shmem_init(); heap[3] = 1;'
  says '^atrium: use after free: PE [01] stores'; says '  where  byte 24 of the block of 800 bytes from shmem_calloc, p.c:10'
  says '  freed  p.c:12 in main, by shmem_finalize'; says '  try    shmem_malloc after each shmem_init'
}
# Teams and contexts end with their session, with what was under way on them; buffers may be used again.
what_is_left_to_finalize_is_complete_behind_it() {
  clean_sessions 'shmem_team_t some[50]; shmem_ctx_t context; long *heap = shmem_calloc(100, 8), *mine = malloc(800);
    for (int i = 0; i < 30; i++) shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &some[i]);
    if (shmem_team_create_ctx(some[e], 0, &context) != 0) shmem_global_exit(1);
    for (int i = 0; i < 100; i++) mine[i] = i;
    shmem_ctx_long_put_nbi(context, y, mine, 100, next);
    shmem_ctx_long_put(context, heap, mine, 100, next); shmem_team_sync(some[29]);
    shmem_long_put_nbi(&x, mine + 99, 1, next);' 'y[0] = mine[0] = mine[99] = x = 1; free(mine);' 2
}
threads_between_sessions_are_followed() {
  clean_sessions 'shared = e; pthread_create(&t, NULL, set, NULL); usleep(20000);' 'pthread_join(t, NULL);'
  clean_sessions 'pthread_create(&t, NULL, add, NULL); add(NULL);' \
    'pthread_join(t, NULL); shared++; pthread_create(&t, NULL, add, NULL); pthread_create(&u, NULL, set, NULL);
     pthread_join(u, NULL); pthread_join(t, NULL); shared++;'
  clean_sessions 'if (e > 0) { pthread_join(t, NULL); shared++; } y[e] = shared;' 'pthread_create(&t, NULL, set, NULL);'
  clean_sessions 'if (e > 0) { pthread_mutex_lock(&mutex); y[0]++; pthread_mutex_unlock(&mutex); pthread_join(t, NULL); }' \
    'y[0]++; pthread_create(&t, NULL, add, NULL); pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex); if (e == 2) pthread_join(t, NULL);'
}
threads_race_in_the_second_session_too() {
  sessions 'if (e == 1) { pthread_create(&t, NULL, set, NULL); shared = 4; pthread_join(t, NULL); }' ''
  compile -O1 -fatrium-race -pthread; expect_status 66 checked -n 1 "$scratch/p"; says '^atrium: race: PE 0 stores 8 bytes that it stores'
}
