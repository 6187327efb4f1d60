/* Gives no place for what the routine that its argument names would answer. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <string.h>

int main(int argc, char** argv) {
  const char* const way = argc > 1 ? argv[1] : "";
  shmem_team_t team;
  if (!strcmp(way, "initialized")) shmem_query_initialized(NULL);
  if (!strcmp(way, "provided")) shmem_init_thread(SHMEM_THREAD_SINGLE, NULL);
  shmem_init();
  if (!strcmp(way, "thread_level")) shmem_query_thread(NULL);
  if (!strcmp(way, "version")) shmem_info_get_version(NULL, NULL);
  if (!strcmp(way, "name")) shmem_info_get_name(NULL);
  if (!strcmp(way, "config")) shmem_team_get_config(SHMEM_TEAM_WORLD, SHMEM_TEAM_NUM_CONTEXTS, NULL);
  if (!strcmp(way, "none_of_config")) shmem_team_get_config(SHMEM_TEAM_WORLD, 0, NULL);
  if (!strcmp(way, "new_team")) shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, NULL);
  if (!strcmp(way, "yaxis_team")) shmem_team_split_2d(SHMEM_TEAM_WORLD, 1, NULL, 0, &team, NULL, 0, NULL);
  if (!strcmp(way, "ctx")) shmem_ctx_create(0, NULL);
  if (!strcmp(way, "team_ctx")) shmem_team_create_ctx(SHMEM_TEAM_WORLD, 0, NULL);
  if (!strcmp(way, "team")) shmem_ctx_get_team(SHMEM_CTX_DEFAULT, NULL);
  shmem_finalize();
  return 0;
}
