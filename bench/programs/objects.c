/* What making and destroying takes: memory, teams, contexts.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * All PEs make memory and teams together, and each figure is of a pair: malloc and free, split and destroy,
 * create and destroy. */
#include "measure.h"

static void malloc_free(const struct measure* m, long calls) {
  while (calls-- > 0) shmem_free(shmem_malloc(m->bytes));
}

static void context(const struct measure* m, long calls) {
  (void)m;
  while (calls-- > 0) {
    shmem_ctx_t made;
    if (shmem_ctx_create(0, &made) != 0) shmem_global_exit(1);
    shmem_ctx_destroy(made);
  }
}

#if SINCE(1, 5)
static void team_split(const struct measure* m, long calls) {
  (void)m;
  while (calls-- > 0) {
    shmem_team_t made = SHMEM_TEAM_INVALID;
    if (shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, bench.pes, NULL, 0, &made) != 0)
      shmem_global_exit(1);
    shmem_team_destroy(made);
  }
}
#endif

int main(int argc, char** argv) {
  static const size_t sizes[] = {64, 64 * KIB, 4 * MIB};
  bench_begin(argc, argv, 1);
  for (size_t i = 0; i < LENGTH(sizes); i++)
    bench_measure(&(struct measure){
        .name = "malloc_free", .unit = "us", .bytes = sizes[i], .run = malloc_free, .actors = EVERYBODY});
  bench_measure(&(struct measure){.name = "context", .unit = "us", .run = context, .actors = 1});
#if SINCE(1, 5)
  bench_measure(
      &(struct measure){.name = "team_split", .unit = "us", .run = team_split, .actors = EVERYBODY});
#endif
  shmem_finalize();
  return 0;
}
