/* Nothing need lie between two segments of static data: linked with .bss a few pages behind .data (3.1).
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

static long initialised = 1234;
static long zeroed;

/* The linker may put them together all the same: then this program shows nothing. */
static int a_hole_lies_between(void) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  const uintptr_t end = (uintptr_t)&zeroed / page * page;
  unsigned char resident;
  for (uintptr_t at = ((uintptr_t)&initialised / page + 1) * page; at < end; at += page)
    if (mincore((void*)at, page, &resident) != 0 && errno == ENOMEM) return 1;
  return 0;
}

static void is_symmetric(long* object) {
  shmem_long_p(object, 100 + me, right());
  shmem_barrier_all();
  CHECK(*object == 100 + left(), "a put arrives");
}

int main(void) {
  if (!a_hole_lies_between()) {
    puts("this linker leaves no hole between .data and .bss");
    return 77;
  }
  zeroed = 11;
  begin();
  CHECK(initialised == 1234 && zeroed == 11, "what was written before shmem_init is there after it");
  shmem_barrier_all();
  is_symmetric(&initialised);
  is_symmetric(&zeroed);
  return end();
}
