/* Transfers of 0 bytes, whose addresses may be null: no compiler warns of them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <stddef.h>

static long x[4];
static uint64_t flag;

void put_nothing(int pe, shmem_ctx_t ctx) {
  shmem_putmem(x, NULL, 0, pe);
  shmem_long_put(x, NULL, 0, pe);
  shmem_putmem_nbi(x, NULL, 0, pe);
  shmem_ctx_putmem(ctx, x, NULL, 0, pe);
  shmem_ctx_long_put_nbi(ctx, x, NULL, 0, pe);
  shmem_long_iput(x, NULL, 1, 1, 0, pe);
  shmem_putmem_signal(x, NULL, 0, &flag, 1, SHMEM_SIGNAL_SET, pe);
  shmem_putmem(NULL, NULL, 0, pe);
}

void get_nothing(int pe, shmem_ctx_t ctx) {
  shmem_getmem(NULL, x, 0, pe);
  shmem_long_get(NULL, x, 0, pe);
  shmem_getmem_nbi(NULL, x, 0, pe);
  shmem_ctx_getmem(ctx, NULL, x, 0, pe);
  shmem_ctx_long_get_nbi(ctx, NULL, x, 0, pe);
  shmem_long_iget(NULL, x, 1, 1, 0, pe);
  shmem_getmem(NULL, NULL, 0, pe);
}

void put_perhaps_nothing(size_t bytes, int pe) { shmem_putmem(x, bytes ? x : NULL, bytes, pe); }
