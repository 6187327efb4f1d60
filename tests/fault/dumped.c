/* Which parts of the heap a core file would hold: the lines "dd" of /proc/self/smaps are left out.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* 1: dumped, 0: left out, -1: nothing is mapped there. */
static int is_dumped(const char* address) {
  FILE* maps = fopen("/proc/self/smaps", "r");
  char line[512];
  int inside = 0, dumped = -1;
  while (maps && dumped < 0 && fgets(line, sizeof line, maps)) {
    uintptr_t begin, end;
    if (sscanf(line, "%lx-%lx ", &begin, &end) == 2)
      inside = begin <= (uintptr_t)address && (uintptr_t)address < end;
    else if (inside && strncmp(line, "VmFlags:", 8) == 0)
      dumped = strstr(line, " dd") == NULL;
  }
  if (maps) fclose(maps);
  return dumped;
}

int main(void) {
  const size_t large = (size_t)5 << 20;
  shmem_init();
  char* small = shmem_malloc(800);
  char* block = shmem_malloc(large);
  if (!small || !block) return 1;
  printf("small %d, large %d to %d, behind %d\n", is_dumped(small), is_dumped(block),
         is_dumped(block + large - 1), is_dumped(block + 4 * large));
  block = shmem_realloc(block, 6 * large);
  if (!block) return 1;
  printf("grown %d\n", is_dumped(block + 6 * large - 1));
  shmem_finalize();
  return 0;
}
