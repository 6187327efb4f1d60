/* A malloc of the program's own, whose blocks lie in its static data: they move with these, and so do those that shmem_init
 * itself takes while it moves them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "check.h"

/* In front of each block. */
struct head {
  size_t bytes;
  uint64_t mark;
};
static const uint64_t whole = 0x600dca7f00dULL;
static char pool[256 << 20] __attribute__((aligned(4096)));
static size_t used;

void* memalign(size_t alignment, size_t bytes) {
  if (alignment < 16) alignment = 16;
  const size_t room = (bytes + alignment + sizeof(struct head) + 15) / 16 * 16;
  const size_t at = __atomic_fetch_add(&used, room, __ATOMIC_RELAXED);
  if (bytes > sizeof pool || at > sizeof pool - room) return NULL;
  const uintptr_t first = (uintptr_t)pool + at + sizeof(struct head);
  char* const block = (char*)((first + alignment - 1) & -alignment);
  struct head* const head = (struct head*)block - 1;
  head->bytes = bytes;
  head->mark = whole;
  return block;
}
void free(void* block) {
  if (block && ((struct head*)block - 1)->mark != whole) _exit(3);
}
void* malloc(size_t bytes) { return memalign(16, bytes); }
void* aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
void* calloc(size_t count, size_t bytes) { return memalign(16, count * bytes); } /* no block is used twice */
int posix_memalign(void** block, size_t alignment, size_t bytes) {
  *block = memalign(alignment, bytes);
  return *block ? 0 : ENOMEM;
}
void* realloc(void* block, size_t bytes) {
  char* const other = malloc(bytes);
  const size_t before = block ? ((struct head*)block - 1)->bytes : 0;
  if (other && block) memcpy(other, block, before < bytes ? before : bytes);
  free(block);
  return other;
}

static long from;

int main(void) {
  const size_t many = 16 << 20; /* touched: shmem_init's list of touched pages takes pages itself */
  char* const block = malloc(many);
  memset(block, 7, many);
  begin();
  size_t wrong = 0;
  for (size_t i = 0; i < many; ++i) wrong += block[i] != 7;
  CHECK(wrong == 0, "blocks from before init as they were, with %zu bytes", wrong);
  free(block);
  char* const other = malloc(100);
  memset(other, 8, 100);
  shmem_long_p(&from, me + 1, right());
  shmem_barrier_all();
  CHECK(from == left() + 1, "%d from the PE on the left", left() + 1);
  CHECK(other[99] == 8, "a block from after init as it was");
  free(other);
  return end();
}
