/* Put and get of every type and many sizes, flags, ordering, swapped buffers, the schedule.
 *
 * Tests: SYNC shnode-flag shnode-notify
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

/* Each PE writes to its right and reads from its left. */
#define CHECK_TYPE(op, name, type, arg)                                                   \
  {                                                                                       \
    type *box = (type*)(void*)registered, local[5], back[5];                              \
    for (int i = 0; i < 5; i++) local[i] = (type)(10 * (me % 10) + i), box[i] = (type)99; \
    shnode_barrier_all();                                                                 \
    EXPECT(shnode_##name##_put(box, local, 4, right) == SHNODE_OK);                       \
    EXPECT(shnode_##name##_p(box + 4, local[4], right) == SHNODE_OK);                     \
    shnode_barrier_all();                                                                 \
    for (int i = 0; i < 5; i++) EXPECT(box[i] == (type)(10 * (left % 10) + i));           \
    EXPECT(shnode_##name##_get(back, box, 5, right) == SHNODE_OK);                        \
    for (int i = 0; i < 5; i++) EXPECT(back[i] == local[i]);                              \
    EXPECT(shnode_##name##_g(box + 3, right) == local[3]);                                \
    shnode_barrier_all();                                                                 \
  }

static void every_type(void) {
  const int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n, left = (me + n - 1) % n;
  SHNODE_RMA_TYPES(CHECK_TYPE, 0, 0)
}

/* Differs from place to place, from one line of 64 bytes to the next, between sizes and between PEs. */
static char byte_of(int pe, size_t bytes, size_t i) {
  return (char)((i * 131 + (i >> 6) * 29 + bytes * 7 + (size_t)pe * 41) & 0xff);
}

static void fill_block(char* block, int pe, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) block[i] = byte_of(pe, bytes, i);
}

static int is_block_of(const char* block, int pe, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    if (block[i] != byte_of(pe, bytes, i)) return 0;
  return 1;
}

static void many_sizes(void) {
  const int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n, left = (me + n - 1) % n;
  char *mine = malloc(room), *back = malloc(room);
  for (size_t bytes = 1; bytes <= room / 2; bytes *= 7) {
    fill_block(mine, me, bytes);
    EXPECT(shnode_putmem(registered + 3, mine, bytes, right) == SHNODE_OK);
    shnode_barrier_all();
    EXPECT(is_block_of(registered + 3, left, bytes));
    EXPECT(shnode_add_data(registered) ==
           SHNODE_OK); /* its first transfer goes another way than later ones */
    EXPECT(shnode_getmem(back, registered + 3, bytes, right) == SHNODE_OK);
    EXPECT(memcmp(back, mine, bytes) == 0);
    shnode_barrier_all();
  }
  free(mine);
  free(back);
}

/* Slots for blocks with each pair of alignments; what is around a block must stay as it was. */
static const size_t offsets[] = {0, 1, 31, 63};
enum { alignments = 4, slots = alignments * alignments, slot_bytes = 4608, untouched = 0x5a };

static size_t place_of(int slot, size_t offset) { return (size_t)slot * slot_bytes + 64 + offset; }
static size_t to_place(int slot) { return place_of(slot, offsets[slot % alignments]); }
static size_t from_place(int slot) { return place_of(slot, offsets[slot / alignments]); }

static int is_alone(const char* memory, size_t begin, size_t bytes, int slot) {
  for (size_t i = (size_t)slot * slot_bytes; i < (size_t)(slot + 1) * slot_bytes; i++)
    if ((i < begin || i >= begin + bytes) && memory[i] != untouched) return 0;
  return 1;
}

static void check_slots(const char* memory, int from, size_t bytes) {
  for (int slot = 0; slot < slots; slot++) {
    EXPECT(is_block_of(memory + to_place(slot), from, bytes));
    EXPECT(is_alone(memory, to_place(slot), bytes, slot));
  }
}

static void check_alignments(char* memory, char* mine, char* back, size_t bytes) {
  const int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n, left = (me + n - 1) % n;
  memset(memory, untouched, (size_t)slots * slot_bytes);
  memset(back, untouched, (size_t)slots * slot_bytes);
  shnode_barrier_all();
  for (int slot = 0; slot < slots; slot++) {
    fill_block(mine + from_place(slot), me, bytes);
    EXPECT(shnode_putmem(memory + to_place(slot), mine + from_place(slot), bytes, right) == SHNODE_OK);
  }
  shnode_barrier_all();
  check_slots(memory, left, bytes);
  for (int slot = 0; slot < slots; slot++) fill_block(memory + from_place(slot), me, bytes);
  shnode_barrier_all();
  for (int slot = 0; slot < slots; slot++)
    EXPECT(shnode_getmem(back + to_place(slot), memory + from_place(slot), bytes, right) == SHNODE_OK);
  check_slots(back, right, bytes);
  shnode_barrier_all();
}

/* Around where one way of copying ends and another begins, and in the middle of the loops. */
static void sizes_at_every_edge(void) {
  static const size_t sizes[] = {511, 512,  513,  575,  576,  577,  767,  768,
                                 769, 2047, 2048, 2049, 4032, 4095, 4096, 4097};
  char *mine = malloc(room), *back = malloc(room);
  const uintptr_t line = 64;
  char* memory = registered + (line - (uintptr_t)registered % line) % line;
  char* my_line = mine + (line - (uintptr_t)mine % line) % line;
  char* back_line = back + (line - (uintptr_t)back % line) % line;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    check_alignments(memory, my_line, back_line, sizes[i]);
  free(mine);
  free(back);
}

/* A ring: who sees the flag sees the block. */
static void flags_follow_blocks(void) {
  const int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n, left = (me + n - 1) % n;
  long *flag = (long*)(void*)registered, *block = flag + 8, local[500];
  *flag = 0;
  shnode_barrier_all();
  for (long round = 1; round <= 50; round++) {
    for (int i = 0; i < 500; i++) local[i] = 1000 * round + me;
    EXPECT(shnode_putmem_flag(block, local, sizeof local, flag, round, right) == SHNODE_OK);
    shmem_long_wait_until(flag, SHMEM_CMP_GE, round);
    for (int i = 0; i < 500; i += 83) EXPECT(block[i] == 1000 * round + left);
    shnode_barrier_all();
  }
}

static void fence_and_quiet_succeed(void) {
  EXPECT(shnode_fence() == SHNODE_OK && shnode_quiet() == SHNODE_OK);
}

void check_transfers(void) {
  every_type();
  many_sizes();
  sizes_at_every_edge();
  flags_follow_blocks();
  fence_and_quiet_succeed();
}

/* Round after round each exchanges with another: what was written before is held by the other afterwards. */
static void exchange_with_everybody(shnode_buffer* buffer) {
  const int me = shmem_my_pe(), n = shmem_n_pes();
  const size_t longs = buffer->bytes / sizeof(long);
  for (int round = 0; round < 2 * n; round++) {
    const int partner = (2 * n + round - me) % n;
    long* held = buffer->data;
    for (size_t i = 0; i < longs; i++) held[i] = 100 * round + me;
    EXPECT(shnode_exchange(buffer, partner) == SHNODE_OK);
    held = buffer->data;
    for (size_t i = 0; i < longs; i += 97) EXPECT(held[i] == 100 * round + partner);
  }
}

/* One after the other, without anything between. */
static void exchange_back_and_forth(shnode_buffer* buffer) {
  const int me = shmem_my_pe(), n = shmem_n_pes(), partner = me ^ 1;
  if (partner >= n) return;
  *(long*)buffer->data = me;
  for (int i = 0; i < 101; i++) EXPECT(shnode_exchange(buffer, partner) == SHNODE_OK);
  EXPECT(*(long*)buffer->data == partner);
}

static void schedule_is_complete(void) {
  const int n = shmem_n_pes(), me = shmem_my_pe();
  int order[64], away = -1, seen[64] = {0};
  EXPECT(shnode_alltoall_schedule(NULL, &away) == SHNODE_ERR_ARGUMENT);
  EXPECT(shnode_alltoall_schedule(order, &away) == SHNODE_OK);
  EXPECT(away == n - shnode_team_size() && order[n - 1] == me);
  for (int i = 0; i < n; i++) {
    EXPECT(shnode_is_team_member(order[i]) == (i >= away));
    EXPECT(seen[order[i]]++ == 0);
  }
}

void check_exchange(void) {
  shnode_buffer buffer;
  EXPECT(shnode_buffer_create(&buffer, 0) == SHNODE_ERR_ARGUMENT);
  EXPECT(shnode_buffer_create(&buffer, 3000 * sizeof(long)) == SHNODE_OK);
  EXPECT(shnode_exchange(&buffer, -1) == SHNODE_ERR_PE && shnode_exchange(NULL, 0) == SHNODE_ERR_ARGUMENT);
  exchange_with_everybody(&buffer);
  shnode_barrier_all();
  exchange_back_and_forth(&buffer);
  EXPECT(shnode_buffer_destroy(&buffer) == SHNODE_OK);
  EXPECT(shnode_buffer_destroy(&buffer) == SHNODE_ERR_ARGUMENT);
  schedule_is_complete();
}
