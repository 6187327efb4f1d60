/* Passes lists that are too short, or none at all, to the routine that its argument names. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <string.h>

static long words[8], dest[16], zeros[8];

int main(int argc, char** argv) {
  const char* const way = argc > 1 ? argv[1] : "";
  shmem_init();
  const int pes = shmem_n_pes(), me = shmem_my_pe(), outside[] = {0, pes};
  size_t indices[8];
  if (!strcmp(way, "none")) {
    shmem_pe_quiet(NULL, 0);
    shmem_long_wait_until_some(NULL, 0, NULL, NULL, SHMEM_CMP_EQ, 0);
    shmem_long_wait_until_all_vector(NULL, 0, NULL, SHMEM_CMP_EQ, NULL);
    shmem_long_collect(SHMEM_TEAM_WORLD, dest, words, me == 0 ? 0 : 8);
  }
  if (!strcmp(way, "whole")) {
    shmem_pe_quiet(outside, 1);
    shmem_long_wait_until_some(words, 8, indices, NULL, SHMEM_CMP_EQ, 0);
    shmem_long_wait_until_all_vector(words, 8, NULL, SHMEM_CMP_EQ, zeros);
    shmem_long_collect(SHMEM_TEAM_WORLD, dest, words, 8);
  }
  if (!strcmp(way, "pes")) shmem_pe_quiet(outside, 2);
  if (!strcmp(way, "target_pes")) shmem_pe_quiet(NULL, 1);
  if (!strcmp(way, "indices")) shmem_long_test_some(words, 8, NULL, NULL, SHMEM_CMP_EQ, 0);
  if (!strcmp(way, "cmp_values")) shmem_long_wait_until_any_vector(words, 8, NULL, SHMEM_CMP_EQ, NULL);
  if (!strcmp(way, "fetch")) shmem_long_atomic_fetch_add_nbi(NULL, words, 1, 0);
  if (!strcmp(way, "collect")) shmem_long_collect(SHMEM_TEAM_WORLD, dest + 1, words, 8);
  shmem_finalize();
  return 0;
}
