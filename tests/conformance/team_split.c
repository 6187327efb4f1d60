/* Strided splits, translation, configurations and the invalid team (9.4).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

/* Splits `parent` and checks membership, numbering and translation against the definition. */
static shmem_team_t split(shmem_team_t parent, int start, int stride, int size) {
  shmem_team_t team = SHMEM_TEAM_WORLD;
  const int mine = shmem_team_my_pe(parent);
  int expected = -1;
  CHECK(shmem_team_split_strided(parent, start, stride, size, NULL, 0, &team) == 0,
        "split %d:%d:%d returns 0, to non-members too", start, stride, size);
  for (int i = 0; i < size; ++i) expected = start + i * stride == mine ? i : expected;
  CHECK((team == SHMEM_TEAM_INVALID) == (expected < 0), "split %d:%d:%d, a member?", start, stride, size);
  CHECK(shmem_team_my_pe(team) == expected, "my number is %d, not %d", shmem_team_my_pe(team), expected);
  if (expected < 0) return team;
  CHECK(shmem_team_n_pes(team) == size, "the team has %d members", size);
  for (int i = 0; i < size; ++i) {
    const int there = start + i * stride;
    CHECK(shmem_team_translate_pe(team, i, parent) == there, "member %d is %d of the parent", i, there);
    CHECK(shmem_team_translate_pe(parent, there, team) == i, "and back");
  }
  CHECK(shmem_team_sync(team) == 0, "the new team can be used at once");
  return team;
}

static void split_and_destroy(shmem_team_t parent, int start, int stride, int size) {
  shmem_team_destroy(split(parent, start, stride, size));
}

static void every_valid_triplet_works(void) {
  for (int start = 0; start < npes; ++start) {
    for (int stride = -npes; stride <= npes; ++stride) {
      for (int size = 1; size <= npes; ++size) {
        const int last = start + (size - 1) * stride;
        if (last < 0 || last >= npes || (stride == 0 && size > 1)) continue;
        split_and_destroy(SHMEM_TEAM_WORLD, start, stride, size);
      }
    }
  }
}

static void bad(shmem_team_t parent, int start, int stride, int size) {
  shmem_team_t team = SHMEM_TEAM_WORLD;
  CHECK(shmem_team_split_strided(parent, start, stride, size, NULL, 0, &team) != 0, "%d:%d:%d is refused",
        start, stride, size);
  CHECK(team == SHMEM_TEAM_INVALID, "%d:%d:%d gives the invalid team", start, stride, size);
}

static void invalid_triplets_are_refused_on_all_pes(void) {
  bad(SHMEM_TEAM_WORLD, -1, 1, 1);
  bad(SHMEM_TEAM_WORLD, npes, 1, 1);
  bad(SHMEM_TEAM_WORLD, 0, 1, npes + 1);
  bad(SHMEM_TEAM_WORLD, 0, 1, -1);
  bad(SHMEM_TEAM_WORLD, 0, 1, 0);
  bad(SHMEM_TEAM_WORLD, 0, -1, 2);
  bad(SHMEM_TEAM_WORLD, 0, 0, 2);
  bad(SHMEM_TEAM_WORLD, 0, 2147483647, 2);
  bad(SHMEM_TEAM_WORLD, 0, 1073741824, 5);
  bad(SHMEM_TEAM_INVALID, 0, 1, 1);
}

static void the_invalid_team_has_the_answers_of_the_standard(void) {
  shmem_team_config_t config;
  long word;
  CHECK(shmem_team_my_pe(SHMEM_TEAM_INVALID) == -1, "my_pe");
  CHECK(shmem_team_n_pes(SHMEM_TEAM_INVALID) == -1, "n_pes");
  CHECK(shmem_team_translate_pe(SHMEM_TEAM_INVALID, 0, SHMEM_TEAM_WORLD) == -1, "translate from it");
  CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, 0, SHMEM_TEAM_INVALID) == -1, "translate to it");
  CHECK(shmem_team_get_config(SHMEM_TEAM_INVALID, SHMEM_TEAM_NUM_CONTEXTS, &config) != 0, "get_config");
  CHECK(shmem_team_ptr(SHMEM_TEAM_INVALID, &word, 0) == NULL, "team_ptr");
  shmem_team_destroy(SHMEM_TEAM_INVALID);
}

static void translation_tells_who_is_absent(void) {
  shmem_team_t even = split(SHMEM_TEAM_WORLD, 0, 2, (npes + 1) / 2);
  if (even != SHMEM_TEAM_INVALID) {
    CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, npes, even) == -1, "a number out of range");
    CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, -1, even) == -1, "a negative number");
    CHECK(shmem_team_translate_pe(even, (npes + 1) / 2, SHMEM_TEAM_WORLD) == -1, "one past the last");
    if (npes > 1) CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, 1, even) == -1, "an odd PE is no member");
  }
  shmem_team_destroy(even);
}

static void the_predefined_teams_are_there(void) {
  CHECK(shmem_team_my_pe(SHMEM_TEAM_WORLD) == me && shmem_team_n_pes(SHMEM_TEAM_WORLD) == npes, "the world");
  CHECK(shmem_team_n_pes(SHMEM_TEAM_SHARED) >= 1, "the shared team has me at least");
  const int world =
      shmem_team_translate_pe(SHMEM_TEAM_SHARED, shmem_team_my_pe(SHMEM_TEAM_SHARED), SHMEM_TEAM_WORLD);
  CHECK(world == me, "I am %d in the world", world);
  CHECK(SHMEM_TEAM_WORLD != SHMEM_TEAM_INVALID && SHMEM_TEAM_SHARED != SHMEM_TEAM_INVALID, "valid handles");
}

static void configurations_are_kept(void) {
  shmem_team_config_t config = {3}, got = {-1};
  shmem_team_t team;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, &config, SHMEM_TEAM_NUM_CONTEXTS, &team) == 0,
        "a configured split");
  CHECK(shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &got) == 0 && got.num_contexts == 3,
        "num_contexts 3");
  CHECK(shmem_team_get_config(team, 0, NULL) == 0, "mask 0 allows a null pointer");
  shmem_team_destroy(team);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, &config, 0, &team) == 0, "unmasked members");
  CHECK(shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &got) == 0 && got.num_contexts == 0,
        "the default");
  shmem_team_destroy(team);
}

/* Splits of splits, ten deep, alternately reversed, each used before the next is made. */
static void teams_nest_to_any_depth(void) {
  enum { DEPTH = 10 };
  shmem_team_t teams[DEPTH + 1] = {SHMEM_TEAM_WORLD};
  static int sum, one = 1;
  for (int i = 0; i < DEPTH; ++i) {
    const int size = shmem_team_n_pes(teams[i]);
    teams[i + 1] = split(teams[i], i % 2 ? 0 : size - 1, i % 2 ? 1 : -1, size);
    CHECK(shmem_int_sum_reduce(teams[i + 1], &sum, &one, 1) == 0 && sum == npes, "sum at depth %d: %d", i,
          sum);
  }
  CHECK(shmem_team_my_pe(teams[1]) == npes - 1 - me, "reversed once");
  for (int i = DEPTH; i > 0; --i) shmem_team_destroy(teams[i]);
}

/* Strides multiply: the second of every second. */
static void strides_compose(void) {
  shmem_team_t outer = split(SHMEM_TEAM_WORLD, npes - 1, -2, (npes + 1) / 2);
  if (outer != SHMEM_TEAM_INVALID) {
    const int size = shmem_team_n_pes(outer);
    shmem_team_t inner = split(outer, 0, 2, (size + 1) / 2);
    if (inner != SHMEM_TEAM_INVALID)
      CHECK(shmem_team_translate_pe(inner, shmem_team_my_pe(inner), SHMEM_TEAM_WORLD) == me,
            "I remain myself");
    shmem_team_destroy(inner);
  }
  shmem_team_destroy(outer);
}

int main(void) {
  begin();
  every_valid_triplet_works();
  invalid_triplets_are_refused_on_all_pes();
  the_invalid_team_has_the_answers_of_the_standard();
  translation_tells_who_is_absent();
  the_predefined_teams_are_there();
  configurations_are_kept();
  teams_nest_to_any_depth();
  strides_compose();
  return end();
}
