/* Symmetric memory and its model; rounds that allocate, resize and free.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "soak.h"

static uint64_t static_words[FIXED_BLOCKS][MOST_WORDS];
Block blocks[BLOCKS];

static void grow_model(Block* block, size_t count) {
  for (int pe = 0; pe < npes; ++pe) {
    block->model[pe] = realloc(block->model[pe], count * sizeof(uint64_t));
    CHECK(block->model[pe] != NULL, "private memory for the model");
  }
}

/* Words from `first` on get what their PE, and nobody else, writes into them now. */
static void fill(Block* block, size_t first) {
  const uint64_t value = draw();
  for (int pe = 0; pe < npes; ++pe)
    for (size_t i = first; i < block->count; ++i)
      block->model[pe][i] = mix(value + (uint64_t)pe * MOST_WORDS + i);
  if (first < block->count)
    memcpy(block->words + first, block->model[me] + first, (block->count - first) * sizeof(uint64_t));
}

void compare_block(int index, const char* when) {
  const Block* block = &blocks[index];
  for (size_t i = 0; block->words && i < block->count; ++i)
    CHECK(block->words[i] == block->model[me][i], "%s, word %zu of %zu of block %d is %llx, not %llx", when,
          i, block->count, index, (unsigned long long)block->words[i],
          (unsigned long long)block->model[me][i]);
}

void open_blocks(void) {
  for (int i = 0; i < FIXED_BLOCKS; ++i) {
    blocks[i].words = static_words[i];
    blocks[i].count = MOST_WORDS;
    grow_model(&blocks[i], MOST_WORDS);
    fill(&blocks[i], 0);
  }
  shmem_sync_all();
}

void close_blocks(void) {
  for (int i = 0; i < BLOCKS; ++i) {
    if (i >= FIXED_BLOCKS) shmem_free(blocks[i].words);
    for (int pe = 0; pe < npes; ++pe) free(blocks[i].model[pe]);
  }
}

int pick_block(void) {
  int block;
  do block = (int)pick(0, BLOCKS - 1);
  while (!blocks[block].words);
  return block;
}

static void* allocate(size_t count) {
  const size_t bytes = count * sizeof(uint64_t);
  const int how = (int)pick(0, 5);
  if (how == 0) return shmem_align((size_t)1 << pick(3, 16), bytes);
  if (how == 1) return shmem_malloc_with_hints(bytes, SHMEM_MALLOC_SIGNAL_REMOTE);
  if (how > 2) return shmem_malloc(bytes);
  uint64_t* words = shmem_calloc(count, sizeof(uint64_t));
  for (size_t i = 0; words && i < count; ++i)
    CHECK(words[i] == 0, "calloc gave %zu words, %zu is not 0", count, i);
  return words;
}

static void make(Block* block) {
  block->count = (size_t)(one_in(3) ? pick(1, MOST_WORDS) : pick(1, 100));
  block->words = allocate(block->count);
  CHECK(block->words != NULL, "%zu words", block->count);
  grow_model(block, block->count);
  fill(block, 0);
}

static void resize(Block* block) {
  const size_t before = block->count, after = (size_t)pick(1, MOST_WORDS);
  uint64_t* moved = shmem_realloc(block->words, after * sizeof(uint64_t));
  CHECK(moved != NULL, "resizing %zu words to %zu", before, after);
  block->words = moved;
  block->count = after;
  grow_model(block, after);
  if (after > before) fill(block, before);
}

void allocation_round(void) {
  const int steps = (int)pick(1, 6);
  for (int i = 0; i < steps; ++i) {
    const int index = (int)pick(FIXED_BLOCKS, BLOCKS - 1);
    Block* block = &blocks[index];
    if (!block->words) {
      make(block);
    } else if (one_in(2)) {
      resize(block);
      compare_block(index, "after a resize");
    } else {
      compare_block(index, "before it is freed");
      shmem_free(block->words);
      block->words = NULL;
    }
  }
  shmem_sync_all();
}
