/* The same of GASNet itself, the layer below Berkeley UPC and the peer of POSH's table 3 (beside_copy.h): a put and a get of a
 * value, of blocks, and its barrier, from node 0 to node 1. Needs GASNet 1 with its conduit for shared memory (smp).
 * SPDX-License-Identifier: BSD-3-Clause */
#include <gasnet.h>

#include "beside_copy.h"

static void by_put(long calls, void* there, const void* here, size_t bytes) {
  for (long call = 0; call < calls; call++) gasnet_put_bulk(1, there, (void*)here, bytes), touched(there);
}
static void by_get(long calls, void* there, const void* here, size_t bytes) {
  for (long call = 0; call < calls; call++) gasnet_get_bulk(there, 1, (void*)here, bytes), touched(there);
}
static void by_p(long calls, void* there, const void* here, size_t bytes) {
  (void)here, (void)bytes;
  for (long call = 0; call < calls; call++)
    gasnet_put_val(1, there, (gasnet_register_value_t)call, sizeof(long)), touched(there);
}
static void by_g(long calls, void* there, const void* here, size_t bytes) {
  gasnet_register_value_t got = 0;
  (void)here, (void)bytes;
  for (long call = 0; call < calls; call++) {
    got = gasnet_get_val(1, there, sizeof(long));
    touched(&got);
  }
}
static void barrier(void) {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS);
}
static void by_barrier(long calls, void* there, const void* here, size_t bytes) {
  (void)there, (void)here, (void)bytes;
  for (long call = 0; call < calls; call++) barrier();
}

int main(int argc, char** argv) {
  gasnet_init(&argc, &argv);
  const size_t most = most_of(argc, argv);
  gasnet_seginfo_t segments[2];
  if (gasnet_nodes() != 2 || gasnet_attach(NULL, 0, most + page_bytes, 0) != GASNET_OK ||
      gasnet_getSegmentInfo(segments, 2) != GASNET_OK) {
    fprintf(stderr, "gasnet: run this program with 2 nodes of the smp conduit\n");
    gasnet_exit(1);
  }
  char *symmetric = from_page(segments[1].addr), *first = from_page(malloc(most + page_bytes)),
       *second = from_page(malloc(most + page_bytes));
  if (gasnet_mynode() == 1) memset(symmetric, 1, most);
  barrier();
  if (gasnet_mynode() == 0) {
    measure_word("p", by_p, symmetric);
    measure_word("g", by_g, symmetric);
    measure_sizes(by_put, by_get, symmetric, first, second, most);
  }
  barrier();
  const double ns = time_of(by_barrier, barriers, symmetric, symmetric, 0);
  if (gasnet_mynode() == 0) printf("barrier\t0\t%.5g\tns\n", ns);
  fflush(stdout);
  barrier();
  gasnet_exit(0);
}
