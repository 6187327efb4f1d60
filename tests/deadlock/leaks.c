/* What is not given back before shmem_finalize: on all PEs alike, or on one.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  shmem_init();
  void *kept[3], *given_back = shmem_malloc(100), *moved = shmem_malloc(10);
  shmem_team_t team = SHMEM_TEAM_INVALID;
  shmem_ctx_t context = SHMEM_CTX_INVALID, of_team = SHMEM_CTX_INVALID;
  const int leaky = argc > 1 && strcmp(argv[1], "clean") != 0;
  for (int i = 0; i < 3; i++) kept[i] = shmem_malloc(2000);
  moved = shmem_realloc(moved, 5000);
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), NULL, 0, &team);
  shmem_team_create_ctx(team, 0, &of_team);
  if (leaky && (strcmp(argv[1], "all") == 0 || shmem_my_pe() == 1)) shmem_ctx_create(0, &context);
  shmem_free(given_back);
  if (!leaky || strcmp(argv[1], "all") != 0) {
    for (int i = 0; i < 3; i++) shmem_free(kept[i]);
    shmem_free(moved);
    shmem_team_destroy(team);
  }
  shmem_finalize();
  return 0;
}
