/* Nested and repeated initialisation, what may be asked when, and who we are (9.1).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

static long global = 5;

static int is_initialized(void) {
  int answer = -1;
  shmem_query_initialized(&answer);
  return answer != 0;
}

static void the_library_names_itself(void) {
  int major = 0, minor = 0;
  char name[SHMEM_MAX_NAME_LEN + 1];
  memset(name, 'x', sizeof name);
  shmem_info_get_version(&major, &minor);
  CHECK(major == 1 && minor == 6, "version %d.%d", major, minor);
  CHECK(SHMEM_MAJOR_VERSION == 1 && SHMEM_MINOR_VERSION == 6, "and the macros");
  shmem_info_get_name(name);
  CHECK(memchr(name, 0, SHMEM_MAX_NAME_LEN) != NULL, "the name is terminated within its length");
  CHECK(name[SHMEM_MAX_NAME_LEN] == 'x', "nothing is written behind it");
  CHECK(strcmp(name, SHMEM_VENDOR_STRING) == 0, "%s is not %s", name, SHMEM_VENDOR_STRING);
}

static void numbers_are_consistent(void) {
  static int seen[512];
  CHECK(me >= 0 && me < npes, "PE %d of %d", me, npes);
  for (int pe = 0; pe < npes; ++pe) shmem_int_atomic_inc(seen + me, pe);
  shmem_barrier_all();
  for (int pe = 0; pe < npes; ++pe) CHECK(seen[pe] == 1, "PE %d is there %d times", pe, seen[pe]);
  for (int pe = 0; pe < npes; ++pe) CHECK(shmem_pe_accessible(pe) == 1, "PE %d is accessible", pe);
  CHECK(shmem_pe_accessible(-1) == 0 && shmem_pe_accessible(npes) == 0, "others are not");
  shmem_barrier_all();
  memset(seen, 0, sizeof seen);
}

/* An inner finalize is a barrier and frees nothing. */
static void initialisation_nests(void) {
  long* block = shmem_malloc(sizeof *block);
  int provided;
  shmem_init();
  CHECK(shmem_init_thread(SHMEM_THREAD_SINGLE, &provided) == 0, "init_thread after init");
  CHECK(shmem_my_pe() == me && shmem_n_pes() == npes, "the numbers stay");
  shmem_long_p(block, me + 1, right());
  shmem_finalize();
  CHECK(*block == left() + 1, "the inner finalize completes puts like a barrier");
  CHECK(is_initialized(), "still initialised after one of two");
  shmem_finalize();
  CHECK(is_initialized(), "still initialised after two of three");
  shmem_free(block);
}

static void a_session_with_the_library(int round) {
  static uint64_t flag;
  long *block = shmem_calloc(1000, sizeof *block), sum = 0;
  static long total, number;
  shmem_team_t team;
  shmem_ctx_t ctx;
  flag = 0, number = me + round;
  shmem_barrier_all();
  shmem_long_put_signal(block, &number, 1, &flag, 1, SHMEM_SIGNAL_SET, right());
  shmem_signal_wait_until(&flag, SHMEM_CMP_EQ, 1);
  CHECK(*block == left() + round, "round %d: put_signal brings %ld", round, *block);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, NULL, 0, &team) == 0, "a team in round %d",
        round);
  CHECK(shmem_long_sum_reduce(team, &total, &number, 1) == 0, "a reduction in round %d", round);
  for (int pe = 0; pe < npes; ++pe) sum += pe + round;
  CHECK(total == sum, "round %d: the sum is %ld", round, total);
  CHECK(shmem_ctx_create(0, &ctx) == 0, "a context in round %d", round);
  if (round % 2) shmem_team_destroy(team);
}

/* Teams, contexts and memory are left to finalize; all must come back fresh. */
static void the_library_can_be_initialised_again(void) {
  for (int round = 0; round < 20; ++round) {
    CHECK(!is_initialized(), "not initialised before round %d", round);
    if (round % 2) {
      int provided = -1;
      CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0, "init_thread in round %d", round);
    } else {
      shmem_init();
    }
    CHECK(is_initialized(), "initialised in round %d", round);
    CHECK(shmem_my_pe() == me && shmem_n_pes() == npes, "the numbers of round %d", round);
    CHECK(global == 5 + round, "globals keep their values: %ld", global);
    a_session_with_the_library(round);
    ++global;
    shmem_finalize();
  }
}

int main(void) {
  CHECK(!is_initialized(), "not initialised in the beginning");
  begin();
  CHECK(is_initialized(), "initialised");
  the_library_names_itself();
  numbers_are_consistent();
  initialisation_nests();
  shmem_finalize();
  the_library_can_be_initialised_again();
  CHECK(!is_initialized(), "not initialised in the end");
  CHECK(global == 25, "globals survive the last finalize: %ld", global);
  return verdict();
}
