/* Wait for any: PE 0 serves whoever is ready, in the order in which they come.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * oshcc 12_wait_any.c -o any && oshrun -n 4 ./any
 * Says: served ... messages of ... PEs as they came
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

enum { EACH = 20 };
static int go_on; /* how many of my messages PE 0 has taken */

static void produce(int me, int* mailboxes) {
  for (int i = 1; i <= EACH; i++) {
    shmem_int_atomic_set(&mailboxes[me], i, 0); /* 0 means empty */
    shmem_int_wait_until(&go_on, SHMEM_CMP_GE, i);
  }
}

/* Returns how many messages came in the right order from their sender. */
static int serve(int n, int* mailboxes) {
  int* taken = calloc((size_t)n, sizeof *taken);
  int good = 0;
  for (int i = 0; i < EACH * (n - 1); i++) {
    size_t pe = shmem_int_wait_until_any(mailboxes, (size_t)n, NULL, SHMEM_CMP_GT, 0);
    good += mailboxes[pe] == ++taken[pe];
    shmem_int_atomic_set(&mailboxes[pe], 0, 0);
    shmem_quiet(); /* it is empty before the sender may go on */
    shmem_int_atomic_set(&go_on, taken[pe], (int)pe);
  }
  free(taken);
  return good;
}

int main(void) {
  shmem_init();
  int me = shmem_my_pe(), n = shmem_n_pes(), right = 1;
  int* mailboxes = shmem_calloc((size_t)n, sizeof *mailboxes); /* PE 0's are used, one for each sender */
  if (me != 0) {
    produce(me, mailboxes);
  } else {
    int good = serve(n, mailboxes);
    right = good == EACH * (n - 1);
    printf("served %d messages of %d PEs as they came\n", good, n - 1);
  }
  shmem_free(mailboxes);
  shmem_finalize();
  return right ? 0 : 1;
}
