/* The heap that all nodes can hold: `heap BYTES` says how large it is, whatever each node was given; `heap BYTES or-less`, how
 * large at most.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "../conformance/check.h"

int main(int argc, char** argv) {
  begin();
  const size_t expected = argc > 1 ? (size_t)atol(argv[1]) : 0;
  if (argc > 2) {
    CHECK(shmem_malloc(expected + 1) == NULL, "more than %zu bytes are not there", expected);
    CHECK(shmem_malloc(8 << 20) != NULL, "some are");
    return end();
  }
  char* const all = shmem_malloc(expected);
  CHECK(all != NULL, "%zu bytes are the heap of every node", expected);
  CHECK(shmem_malloc(1) == NULL, "and then it is full");
  if (all) {
    shmem_long_p((long*)(all + expected - sizeof(long)), me + 1, right());
    shmem_barrier_all();
    CHECK(*(long*)(all + expected - sizeof(long)) == left() + 1, "the end of the heap can be reached");
    shmem_barrier_all();
  }
  shmem_free(all);
  return end();
}
