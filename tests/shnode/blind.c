/* Preloaded: a shmem_ptr that sees nothing, or not everything.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * SHNODE_TEST_BLIND=all: never an address of another PE. =chain: each PE sees its neighbours only, which is
 * not transitive. =oneway: PEs see those with higher numbers only, which is not symmetric. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <shmem.h>
#include <stdlib.h>
#include <string.h>

static int sees(const char* kind, int me, int pe) {
  if (!strcmp(kind, "chain")) return pe - me <= 1 && me - pe <= 1;
  if (!strcmp(kind, "oneway")) return pe >= me;
  return pe == me;
}

#undef shmem_ptr
void* shmem_ptr(const void* dest, int pe) {
  static void* (*real)(const void*, int);
  const char* kind = getenv("SHNODE_TEST_BLIND");
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, "shmem_ptr");
  return sees(kind ? kind : "all", shmem_my_pe(), pe) ? real(dest, pe) : NULL;
}
