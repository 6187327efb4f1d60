/* Passes the option that its first argument names, with the value of its second. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const char* const way = argv[1];
  const int value = atoi(argv[2]);
  int provided;
  if (!strcmp(way, "thread")) {
    if (shmem_init_thread(value, &provided) != 0) return 3;
  } else {
    shmem_init();
  }
  const shmem_team_t world = SHMEM_TEAM_WORLD;
  const shmem_team_config_t config = {1}, wrong_config = {-1};
  shmem_team_t team = SHMEM_TEAM_INVALID, other = SHMEM_TEAM_INVALID;
  shmem_ctx_t ctx;
  if (!strcmp(way, "context") && shmem_ctx_create(value, &ctx) == 0) shmem_ctx_destroy(ctx);
  if (!strcmp(way, "mask")) shmem_team_split_strided(world, 0, 1, 1, &config, value, &team);
  if (!strcmp(way, "mask_2d")) shmem_team_split_2d(world, 1, &config, 0, &team, &config, value, &other);
  if (!strcmp(way, "null")) shmem_team_split_strided(world, 0, 1, 1, NULL, value, &team);
  if (!strcmp(way, "count")) shmem_team_split_strided(world, 0, 1, 1, &wrong_config, value, &team);
  if (!strcmp(way, "hints")) shmem_free(shmem_malloc_with_hints(8, value));
  shmem_team_destroy(team);
  shmem_team_destroy(other);
  shmem_finalize();
  return 0;
}
