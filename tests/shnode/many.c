/* More PEs than an object has places for from the beginning: words and addresses lead to each of them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

int failures;
const char* configuration = "many";
char *registered, *unregistered;
long sync_area[2][sync_longs];

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n, left = (me + n - 1) % n;
  long* word = shmem_malloc(2 * sizeof *word);
  EXPECT(shnode_init() == SHNODE_OK && shnode_create_team(word) == SHNODE_OK);
  word[1] = me;
  shmem_barrier_all();
  EXPECT(shnode_long_p(word, me, right) == SHNODE_OK);
  for (int pe = 0; pe < n; pe++) {
    EXPECT(shnode_long_g(word + 1, pe) == pe);
    EXPECT(*(long*)shnode_get_member_remote_addr(pe, word + 1) == pe);
  }
  EXPECT(shnode_long_p(word, 0, n) == SHNODE_ERR_PE && shnode_long_p(word, 0, -1) == SHNODE_ERR_PE);
  EXPECT(shnode_get_member_remote_addr(n, word) == NULL && shnode_error() == SHNODE_ERR_PE);
  shnode_barrier_all();
  EXPECT(word[0] == left);
  EXPECT(shnode_finalize() == SHNODE_OK);
  if (!failures && me == 0) printf("shnode is right with %d PEs\n", n);
  shmem_finalize();
  return failures != 0;
}
