/* Puts two words into the memory of the next PE: for the tool of docs/howto/add-a-tool.md.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>

static long words[2];

int main(void) {
  const long given[2] = {1, 2};
  shmem_init();
  shmem_long_put(words, given, 2, (shmem_my_pe() + 1) % shmem_n_pes());
  shmem_finalize();
}
