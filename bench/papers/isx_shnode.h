/* ISx with shnode, its sources as they are: this header is included before them (-include), and what they call passes through it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * make -C shnode OSHCC=oshcc && oshcc -O3 -std=gnu99 -DNDEBUG -DSCALING_OPTION=2 -include bench/papers/isx_shnode.h \
 *   [-DSEPARATED] -Ishnode/include isx.c pcg_basic.c timer.c shnode/libshnode.a -lm -o isx_shnode_put [isx_separated]
 *
 * By default each put of keys is shnode's. SEPARATED: keys for other nodes are on their way first, and those for members follow
 * at the barrier that ends the exchange. */
#ifndef BENCH_PAPERS_ISX_SHNODE_H
#define BENCH_PAPERS_ISX_SHNODE_H

#include <shnode.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int* dest;
  const int* source;
  size_t count;
  int pe;
} IsxPut;

static IsxPut* isx_later; /* puts to members, of which each PE has one at most */
static int isx_later_count;

/* What ISx allocates first is where keys are received. */
static inline void* isx_malloc(size_t bytes) {
  void* const memory = shmem_malloc(bytes);
  if (isx_later) return memory;
  isx_later = (IsxPut*)calloc((size_t)shmem_n_pes(), sizeof *isx_later);
  int status = isx_later ? shnode_init() : SHNODE_ERR_MEMORY;
  if (!status) status = shnode_create_team(memory);
  if (status) {
    fprintf(stderr, "isx: %s\n", shnode_strerror(status));
    shmem_global_exit(1);
  }
  return memory;
}

/* What is not registered is the system's. */
static inline void isx_put(int* dest, const int* source, size_t count, int pe) {
  if (shnode_int_put(dest, source, count, pe)) shmem_int_put(dest, source, count, pe);
}

static inline void isx_put_separated(int* dest, const int* source, size_t count, int pe) {
  if (!shnode_is_team_member(pe))
    shmem_putmem_nbi(dest, source, count * sizeof *source, pe);
  else if (isx_later_count < shnode_team_size())
    isx_later[isx_later_count++] = (IsxPut){dest, source, count, pe};
  else
    isx_put(dest, source, count, pe);
}

static inline void isx_barrier(void) {
  for (int i = 0; i < isx_later_count; i++)
    isx_put(isx_later[i].dest, isx_later[i].source, isx_later[i].count, isx_later[i].pe);
  isx_later_count = 0;
  shnode_quiet();
  shmem_barrier_all();
}

static inline void isx_finalize(void) {
  shnode_finalize();
  free(isx_later);
  shmem_finalize();
}

#define shmem_malloc isx_malloc
#define shmem_barrier_all isx_barrier
#define shmem_finalize isx_finalize
#ifdef SEPARATED
#define shmem_int_put isx_put_separated
#else
#define shmem_int_put isx_put
#endif

#endif
