/* Which way a call takes: by copies, which nobody can count, or by the system's routines, which are counted
 * here. Over Atrium both are Atrium's.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

static int set_to(const char* variable, const char* value) {
  const char* now = getenv(variable);
  return now && strcmp(now, value) == 0;
}

#ifndef ATRIUM_AWAY
static int calls;

void pshmem_putmem(void* dest, const void* source, size_t bytes, int pe);
void shmem_putmem(void* dest, const void* source, size_t bytes, int pe) {
  calls++;
  pshmem_putmem(dest, source, bytes, pe);
}

void pshmem_getmem(void* dest, const void* source, size_t bytes, int pe);
void shmem_getmem(void* dest, const void* source, size_t bytes, int pe) {
  calls++;
  pshmem_getmem(dest, source, bytes, pe);
}

void pshmem_broadcast64(void* dest, const void* source, size_t nelems, int PE_root, int PE_start,
                        int logPE_stride, int PE_size, long* pSync);
void shmem_broadcast64(void* dest, const void* source, size_t nelems, int PE_root, int PE_start,
                       int logPE_stride, int PE_size, long* pSync) {
  calls++;
  pshmem_broadcast64(dest, source, nelems, PE_root, PE_start, logPE_stride, PE_size, pSync);
}

static void transfers_are_direct(int pe, size_t bytes, int direct) {
  static char mine[4096];
  calls = 0;
  EXPECT(shnode_putmem(registered, mine, bytes, pe) == SHNODE_OK && calls == !direct);
  EXPECT(shnode_getmem(mine, registered, bytes, pe) == SHNODE_OK && calls == 2 * !direct);
}

static void check_calls(void) {
  const int n = shmem_n_pes(), pe = (shmem_my_pe() + 1) % n;
  const int direct = shnode_is_team_member(pe) && !set_to("SHNODE_RMA", "0");
  transfers_are_direct(pe, 512, direct);
  transfers_are_direct(pe, 4096, direct && !set_to("SHNODE_DIRECT_LIMIT", "1K"));
  calls = 0;
  EXPECT(shnode_broadcast64(registered, registered + 4096, 512, 0, 0, 0, n, sync_area[0]) == SHNODE_OK);
  if (set_to("SHNODE_COLLECTIVES", "0") || (n > 1 && shnode_node_count() == n)) EXPECT(calls == 1);
  if (shnode_node_count() == 1 && !set_to("SHNODE_COLLECTIVES", "0")) EXPECT(calls == 0);
  EXPECT(shnode_barrier_all() == SHNODE_OK);
}
#else
static void check_calls(void) {}
#endif

/* On a node an exchange changes the pointers, else what they point to. */
static void check_pointers(void) {
  shnode_buffer buffer;
  const int partner = shmem_my_pe() ^ 1;
  EXPECT(shnode_buffer_create(&buffer, 64) == SHNODE_OK);
  if (partner < shmem_n_pes()) {
    EXPECT(shnode_exchange(&buffer, partner) == SHNODE_OK);
    EXPECT((buffer.data != buffer.symmetric) ==
           (shnode_is_team_member(partner) && !set_to("SHNODE_EXCHANGE", "0")));
  }
  EXPECT(shnode_buffer_destroy(&buffer) == SHNODE_OK);
}

void check_paths(void) {
  check_calls();
  check_pointers();
}
