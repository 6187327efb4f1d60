/* Makes five calls of each routine that the tool defines. With the argument `inline`: says whether a tool is
 * suspected.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <stdio.h>

static long word;

int main(int argc, char** argv) {
  (void)argv;
  shmem_init();
  const int next = (shmem_my_pe() + 1) % shmem_n_pes();
  for (int i = 0; i < 5; i++) {
    shmem_long_p(&word, i, next);
    shmem_fence();
    if (shmem_ctx_long_g(SHMEM_CTX_DEFAULT, &word, next) != i) return 1;
    shmem_quiet();
    shmem_long_atomic_add(&word, 1, next);
  }
  shmem_barrier_all();
  for (int i = 0; i < 4; i++)  // the fifth call is above
    if (next >= shmem_n_pes()) return 1;
  for (int i = 0; i < 5; i++) {
    if (!shmem_long_test(&word, SHMEM_CMP_EQ, 5)) return 1;
  }
  if (argc > 1 && shmem_my_pe() == 0)
    puts(atrium_inline_path_2.closed ? "a tool is suspected" : "calls stay inline");
  shmem_finalize();
  return 0;
}
