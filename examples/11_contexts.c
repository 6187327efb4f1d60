/* Contexts: a small urgent message need not wait for a large one. And quiet for only those PEs that matter.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * oshcc 11_contexts.c -o contexts && oshrun -n 4 ./contexts
 * Says: ... PEs: the news and ... numbers came on two contexts
 */
#include <shmem.h>
#include <stdio.h>

enum { COUNT = 100000 };
static int bulk[COUNT], source[COUNT];
static int news;

static shmem_ctx_t create_context(void) {
  shmem_ctx_t context;
  if (shmem_ctx_create(0, &context) == 0) return context;
  fprintf(stderr, "no context left\n");
  shmem_global_exit(1);
  return SHMEM_CTX_INVALID;
}

int main(void) {
  shmem_init();
  int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n, left = (me + n - 1) % n;
  for (int i = 0; i < COUNT; i++) source[i] = me + i;
  shmem_ctx_t slow = create_context(), fast = create_context();

  shmem_ctx_int_put_nbi(slow, bulk, source, COUNT, right);
  shmem_ctx_int_atomic_set(fast, &news, me + 1, right);
  shmem_ctx_quiet(fast); /* the news is there; the bulk may be under way */
  shmem_int_wait_until(&news, SHMEM_CMP_EQ, left + 1);

  shmem_ctx_pe_quiet(slow, &right, 1); /* the bulk to that PE is complete, and my source is mine again */
  shmem_sync_all();
  int ok = 1;
  for (int i = 0; i < COUNT; i++) ok = ok && bulk[i] == left + i;
  if (!ok) fprintf(stderr, "PE %d: the bulk is wrong\n", me);
  if (me == 0 && ok) printf("%d PEs: the news and %d numbers came on two contexts\n", n, COUNT);
  shmem_ctx_destroy(fast);
  shmem_ctx_destroy(slow);
  shmem_finalize();
  return ok ? 0 : 1;
}
