/* Nothing but the beginning and the end: the driver times the whole run.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>

int main(void) {
  shmem_init();
  shmem_finalize();
  return 0;
}
