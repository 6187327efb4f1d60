// The heap allocator against its promises, one by one.
// SPDX-License-Identifier: BSD-3-Clause
#include "arena/heap_allocator.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace atrium {
namespace {

constexpr size_t KiB = 1024, MiB = 1024 * KiB;

TEST(HeapAllocator, a_new_heap_is_one_hole) {
  HeapAllocator heap(MiB);
  EXPECT_EQ(heap.capacity(), MiB);
  EXPECT_EQ(heap.largest_free(), MiB);
  EXPECT_EQ(heap.used(), 0u);
  EXPECT_EQ(heap.blocks(), 0u);
}

TEST(HeapAllocator, the_whole_capacity_can_be_one_block) {
  HeapAllocator heap(MiB);
  EXPECT_EQ(heap.allocate(MiB), 0u);
  EXPECT_EQ(heap.largest_free(), 0u);
  EXPECT_FALSE(heap.allocate(1));
}

TEST(HeapAllocator, small_blocks_never_share_a_cache_line) {
  HeapAllocator heap(MiB);
  const size_t first = *heap.allocate(1), second = *heap.allocate(1);
  EXPECT_GE(second - first, 64u);
  EXPECT_EQ(first % 64, 0u);
  EXPECT_EQ(second % 64, 0u);
}

TEST(HeapAllocator, a_block_of_zero_bytes_has_a_place_of_its_own) {
  HeapAllocator heap(MiB);
  EXPECT_NE(*heap.allocate(0), *heap.allocate(0));
}

TEST(HeapAllocator, alignment_is_kept_and_the_padding_stays_usable) {
  HeapAllocator heap(4 * MiB);
  EXPECT_EQ(heap.allocate(64), 0u);
  EXPECT_EQ(heap.allocate(64, MiB), MiB);
  EXPECT_EQ(heap.allocate(MiB - 64), 64u);
}

TEST(HeapAllocator, large_blocks_begin_on_pages_and_very_large_ones_on_huge_pages) {
  HeapAllocator heap(64 * MiB);
  heap.allocate(64);
  EXPECT_EQ(*heap.allocate(32 * KiB) % 4096, 0u);
  EXPECT_EQ(*heap.allocate(16 * MiB) % (2 * MiB), 0u);
}

TEST(HeapAllocator, page_boundaries_never_make_an_allocation_fail) {
  HeapAllocator heap(64 + 40 * KiB);
  heap.allocate(64);
  EXPECT_EQ(heap.allocate(40 * KiB), 64u);
}

TEST(HeapAllocator, blocks_a_little_over_a_page_do_not_cost_two) {
  HeapAllocator heap(MiB);
  int count = 0;
  while (heap.allocate(4100)) ++count;
  EXPECT_GE(count * 4100, static_cast<int>(MiB * 9 / 10));
}

TEST(HeapAllocator, the_smallest_hole_that_fits_is_used) {
  HeapAllocator heap(MiB);
  const size_t wide = *heap.allocate(1024), wall = *heap.allocate(64), narrow = *heap.allocate(256);
  heap.allocate(64);
  heap.release(wide);
  heap.release(narrow);
  EXPECT_EQ(heap.allocate(200), narrow);
  EXPECT_EQ(heap.allocate(1000), wide);
  EXPECT_EQ(heap.block_at(wall)->size(), 64u);
}

TEST(HeapAllocator, neighbouring_holes_become_one_in_every_order_of_release) {
  for (const std::vector<int>& order : {std::vector<int>{0, 1, 2}, {2, 1, 0}, {0, 2, 1}, {1, 0, 2}}) {
    HeapAllocator heap(3 * 64);
    const size_t block[] = {*heap.allocate(64), *heap.allocate(64), *heap.allocate(64)};
    for (int i : order) EXPECT_TRUE(heap.release(block[i]));
    EXPECT_EQ(heap.largest_free(), 3u * 64);
  }
}

TEST(HeapAllocator, releasing_twice_or_inside_a_block_is_noticed_and_changes_nothing) {
  HeapAllocator heap(MiB);
  const size_t block = *heap.allocate(256);
  EXPECT_FALSE(heap.release(block + 64));
  EXPECT_FALSE(heap.release(SIZE_MAX));
  EXPECT_TRUE(heap.release(block));
  EXPECT_FALSE(heap.release(block));
  EXPECT_EQ(heap.used(), 0u);
  EXPECT_EQ(heap.largest_free(), MiB);
}

TEST(HeapAllocator, absurd_sizes_and_alignments_fail_and_leave_the_heap_usable) {
  HeapAllocator heap(MiB);
  heap.allocate(64);
  for (size_t bytes : {SIZE_MAX, SIZE_MAX - 63, SIZE_MAX / 2 + 1, MiB + 1, MiB}) {
    EXPECT_FALSE(heap.allocate(bytes)) << bytes;
    EXPECT_FALSE(heap.resize_in_place(0, bytes == MiB ? MiB + 1 : bytes)) << bytes;
  }
  EXPECT_FALSE(heap.allocate(64, size_t{1} << 63));
  EXPECT_EQ(heap.allocate(64), 64u);
}

TEST(HeapAllocator, a_capacity_below_one_granule_holds_nothing) {
  for (size_t capacity : {0, 1, 63}) EXPECT_FALSE(HeapAllocator(capacity).allocate(1)) << capacity;
}

TEST(HeapAllocator, resizing_in_place_grows_into_the_hole_behind_and_gives_back_the_tail) {
  HeapAllocator heap(1024);
  const size_t block = *heap.allocate(128);
  EXPECT_TRUE(heap.resize_in_place(block, 1024));
  EXPECT_EQ(heap.used(), 1024u);
  EXPECT_EQ(heap.largest_free(), 0u);
  EXPECT_TRUE(heap.resize_in_place(block, 65));
  EXPECT_EQ(heap.block_at(block)->bytes, 65u);
  EXPECT_EQ(heap.block_at(block)->size(), 128u);
  EXPECT_EQ(heap.largest_free(), 1024u - 128);
}

TEST(HeapAllocator, resizing_in_place_never_moves_and_never_takes_another_block) {
  HeapAllocator heap(1024);
  const size_t block = *heap.allocate(64);
  heap.allocate(64);
  EXPECT_FALSE(heap.resize_in_place(block, 65));
  EXPECT_FALSE(heap.resize_in_place(block + 64 * 5, 64));
  EXPECT_EQ(heap.block_at(block)->size(), 64u);
}

TEST(HeapAllocator, the_block_around_a_place_ends_where_what_was_asked_for_does) {
  HeapAllocator heap(MiB);
  EXPECT_FALSE(heap.block_up_to(0));
  const size_t first = *heap.allocate(128), second = *heap.allocate(128), odd = *heap.allocate(80);
  EXPECT_EQ(heap.block_around(first + 127)->offset, first);
  EXPECT_EQ(heap.block_around(odd + 79)->offset, odd);
  EXPECT_FALSE(heap.block_around(odd + 80)) << "it has room for 128, but 80 were asked for";
  EXPECT_EQ(heap.block_up_to(odd + 80)->offset, odd);
  heap.release(second);
  EXPECT_FALSE(heap.block_around(second));
  EXPECT_EQ(heap.block_up_to(second + 1)->offset, first);
}

TEST(HeapAllocator, a_block_is_found_by_any_of_its_bytes_with_who_made_and_last_resized_it) {
  HeapAllocator heap(MiB);
  const int first_maker = 0, second_maker = 0;
  heap.allocate(64);
  const size_t block = *heap.allocate(100, 64, &first_maker);
  for (size_t offset : {block, block + 99}) {
    ASSERT_TRUE(heap.block_around(offset)) << offset;
    EXPECT_EQ(heap.block_around(offset)->offset, block);
    EXPECT_EQ(heap.block_around(offset)->bytes, 100u);
    EXPECT_EQ(heap.block_around(offset)->maker, &first_maker);
  }
  EXPECT_FALSE(heap.block_around(block + 100));
  EXPECT_FALSE(heap.block_at(block + 64));
  EXPECT_TRUE(heap.resize_in_place(block, 200, &second_maker));
  EXPECT_EQ(heap.block_at(block)->maker, &second_maker);
  EXPECT_EQ(heap.block_at(block)->bytes, 200u);
}

TEST(HeapAllocator, a_block_may_take_whole_pages_that_it_shares_with_no_other) {
  HeapAllocator heap(MiB);
  const HeapAllocator::Traits pages{4 * KiB, 5};
  heap.allocate(64);
  const size_t block = *heap.allocate(100, 64, nullptr, pages);
  EXPECT_EQ(block, 4 * KiB);
  EXPECT_EQ(heap.block_at(block)->bytes, 100u);
  EXPECT_EQ(heap.block_at(block)->end(), 8 * KiB);
  EXPECT_EQ(heap.block_at(block)->traits.hints, 5);
  EXPECT_EQ(heap.used(), 64 + 4 * KiB);
  EXPECT_TRUE(heap.resize_in_place(block, 4 * KiB + 1));
  EXPECT_EQ(heap.block_at(block)->end(), 12 * KiB);
  EXPECT_EQ(heap.block_at(block)->traits.hints, 5);
  EXPECT_TRUE(heap.is_valid());
  EXPECT_TRUE(heap.resize_in_place(block, 1));
  EXPECT_EQ(heap.block_at(block)->end(), 8 * KiB);
  EXPECT_GE(*heap.allocate(64 * KiB), 8 * KiB);
  EXPECT_TRUE(heap.release(block));
  EXPECT_TRUE(heap.is_valid());
}

TEST(HeapAllocator, whole_pages_are_had_only_where_a_hole_has_them) {
  HeapAllocator heap(8 * KiB);
  heap.allocate(64);
  const HeapAllocator::Traits pages{4 * KiB, 0};
  EXPECT_TRUE(heap.allocate(1, 64, nullptr, pages));
  EXPECT_FALSE(heap.allocate(1, 64, nullptr, pages));
  EXPECT_FALSE(HeapAllocator(4 * KiB).allocate(4 * KiB, 64, nullptr, {8 * KiB, 0}));
}

TEST(HeapAllocator, reset_forgets_every_block) {
  HeapAllocator heap(MiB);
  heap.allocate(5000);
  heap.reset();
  EXPECT_EQ(heap.blocks(), 0u);
  EXPECT_EQ(heap.allocate(MiB), 0u);
}

TEST(HeapAllocator, half_of_the_blocks_released_can_be_filled_again_completely) {
  HeapAllocator heap(MiB);
  std::vector<size_t> blocks;
  while (const auto block = heap.allocate(512)) blocks.push_back(*block);
  for (size_t i = 0; i < blocks.size(); i += 2) heap.release(blocks[i]);
  for (size_t i = 0; i < blocks.size(); i += 2) EXPECT_EQ(heap.allocate(512), blocks[i]);
  EXPECT_EQ(heap.used(), MiB);
}

}  // namespace
}  // namespace atrium
