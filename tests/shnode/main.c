/* Runs all parts under several settings: shnode reads its variables anew each time it is initialised.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

int failures;
const char* configuration = "before init";
char *registered, *unregistered;
char globals[1 << 16];
long sync_area[2][sync_longs];

static const char* const variables[] = {"SHNODE_RMA",      "SHNODE_COLLECTIVES",    "SHNODE_NODE_PES",
                                        "SHNODE_EXCHANGE", "SHNODE_PES_PER_LEADER", "SHNODE_DIRECT_LIMIT",
                                        "SHNODE_QUERIES"};
enum { variable_count = sizeof variables / sizeof *variables };

/* Settings as VARIABLE=VALUE words with spaces between them. */
static const char* const settings[] = {"",
                                       "SHNODE_PES_PER_LEADER=1",
                                       "SHNODE_PES_PER_LEADER=2147483647",
                                       "SHNODE_PES_PER_LEADER=2 SHNODE_DIRECT_LIMIT=1K",
                                       "SHNODE_NODE_PES=2",
                                       "SHNODE_NODE_PES=3,1,2 SHNODE_PES_PER_LEADER=2",
                                       "SHNODE_NODE_PES=4 SHNODE_EXCHANGE=0",
                                       "SHNODE_NODE_PES=1",
                                       "SHNODE_QUERIES=0 SHNODE_NODE_PES=3",
                                       "SHNODE_RMA=0 SHNODE_COLLECTIVES=0"};

static void apply(const char* words) {
  char copy[200];
  for (int i = 0; i < variable_count; i++) unsetenv(variables[i]);
  setenv("SHNODE_COLLECTIVES", "1", 1); /* over Atrium they are the system's otherwise */
  snprintf(copy, sizeof copy, "%s", words);
  for (char* word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
    char* value = strchr(word, '=');
    *value++ = 0;
    setenv(word, value, 1);
  }
}

static void check_all(void) {
  const int begun = shnode_init();
  EXPECT(begun == SHNODE_OK);
  if (begun != SHNODE_OK) return;
  check_errors_before_the_team();
  const int status = shnode_create_team(registered);
  EXPECT(status == SHNODE_OK);
  check_team();
  check_objects();
  check_transfers();
  check_exchange();
  check_reductions();
  check_moves();
  check_teams();
  check_paths();
  check_reuse();
  EXPECT(shnode_finalize() == SHNODE_OK);
}

/* What the PEs must agree on is what PE 0 was told. */
static void check_agreement(void) {
  configuration = "PE 0 was told otherwise";
  apply(shmem_my_pe() ? "SHNODE_NODE_PES=1 SHNODE_PES_PER_LEADER=1 SHNODE_EXCHANGE=0" : "");
  EXPECT(shnode_init() == SHNODE_OK && shnode_create_team(registered) == SHNODE_OK);
  check_team();
  check_exchange();
  EXPECT(shnode_finalize() == SHNODE_OK);
}

static void check_settings(void) {
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
    apply(configuration = settings[i]);
    check_all();
  }
  check_agreement();
  apply("");
  configuration = "NUMA nodes";
  check_numa();
}

int main(int argc, char** argv) {
  shmem_init();
  unregistered = shmem_malloc(room + 16); /* lies below the registered memory, which reaches upwards */
  registered = shmem_malloc(2 * room);
  if (registered < unregistered) {
    char* lower = registered;
    registered = unregistered, unregistered = lower;
  }
  registered += (16 - (uintptr_t)registered % 16) % 16; /* for long double: Open MPI's is aligned to 8 */
  for (int i = 0; i < sync_longs; i++) sync_area[0][i] = sync_area[1][i] = SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  EXPECT(shnode_finalize() == SHNODE_ERR_NO_INIT);
  if (argc > 1) { /* as the environment says */
    configuration = argv[1];
    check_all();
  }
  if (argc < 2) check_settings();
  shmem_barrier_all();
  if (!failures && shmem_my_pe() == 0) printf("shnode is right with %d PEs\n", shmem_n_pes());
  shmem_finalize();
  return failures != 0;
}
