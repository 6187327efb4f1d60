// The plan and the layout of the segment (job/segment_plan.hpp, segment/layout.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "arena/system.hpp"
#include "job/node_view.hpp"
#include "job/segment_plan.hpp"
#include "os/memory_limits.hpp"
#include "os/page.hpp"
#include "team/nodes.hpp"

namespace atrium {
namespace {

TEST(Layout, parts_do_not_overlap_and_have_one_stride) {
  bool overflow = true;
  const Layout layout = divide_segment(4, lobby_bytes(Placement::on_one_node(0, 4)), 3 * 4096,
                                       size_t{8} << 20, size_t{100} << 20, overflow);
  ASSERT_FALSE(overflow);
  for (int pe = 0; pe < 4; ++pe) {
    EXPECT_EQ(layout.heap_offset(pe) % huge_page_size, 0u);
    EXPECT_EQ(layout.globals_offset(pe) - layout.heap_offset(pe), layout.globals_at - layout.heaps_at);
    EXPECT_LT(layout.heap_offset(pe) + layout.system_size + layout.heap_size, layout.heap_offset(pe + 1));
    EXPECT_LT(layout.globals_offset(pe) + layout.globals_size, layout.globals_offset(pe + 1));
  }
  EXPECT_GE(layout.heaps_at, lobby_bytes(Placement::on_one_node(0, 4)));
  EXPECT_LE(layout.heap_offset(4), layout.globals_offset(0));
}

TEST(Layout, static_data_larger_than_the_heap_widen_the_stride) {
  bool overflow = true;
  const Layout layout = divide_segment(2, lobby_bytes(Placement::on_one_node(0, 2)), size_t{1} << 30,
                                       size_t{8} << 20, size_t{1} << 20, overflow);
  EXPECT_FALSE(overflow);
  EXPECT_GT(layout.stride, size_t{1} << 30);
}

TEST(Plan, sizes_that_no_file_can_hold_are_an_error) {
  SegmentPlan plan{};
  plan.heap_size = size_t{1} << 60;
  EXPECT_FALSE(layout_of(plan, Placement::on_one_node(0, 64)));
}

constexpr size_t MiB = size_t{1} << 20, GiB = size_t{1} << 30;

TEST(Plan, a_heap_that_is_pinned_is_small_where_memory_is) {
  EXPECT_EQ(pinned_heap(4, 100 * MiB, 1024 * GiB, SIZE_MAX), GiB);
  EXPECT_EQ(pinned_heap(64, 100 * MiB, 64 * GiB, SIZE_MAX), 512 * MiB - 100 * MiB);
  EXPECT_EQ(pinned_heap(4, 100 * MiB, 1024 * GiB, 4 * GiB), 960 * MiB - 100 * MiB);
  EXPECT_EQ(pinned_heap(4, 100 * MiB, 1024 * GiB, 64 * MiB), 0u);  // nothing fits: the network will say so
}

// With the smallest heaps there are, and what each PE has besides.
TEST(Plan, the_least_that_a_node_would_pin_is_known_before_its_heaps_are) {
  EXPECT_EQ(least_pinned(4, 2), 4 * (system_area_bytes(2) + 8 * MiB));
}

// What each PE has of Atrium's own grows with nodes alone, by a quarter of a KiB each, and always holds the world's block.
TEST(Plan, the_system_area_has_no_term_in_pes) {
  EXPECT_LE(system_area_bytes(1 << 15), system_area_bytes(2) + (size_t{256} << 15));
  for (int nodes = 2; nodes <= 1 << 22; nodes *= 2) {
    EXPECT_LE(most_block_bytes(nodes, nodes), system_area_bytes(nodes)) << nodes;
    EXPECT_LE(most_block_bytes(1 << 22, nodes), system_area_bytes(nodes)) << nodes;
    EXPECT_EQ(most_block_bytes(1 << 22, nodes), most_block_bytes(64, nodes)) << nodes;
  }
  EXPECT_LE(most_block_bytes(1 << 22, 1), system_area_bytes(1));
  EXPECT_EQ(most_block_bytes(1 << 22, 1), most_block_bytes(64, 1));
}

// Buffers of endpoints take 11 MiB of each PE (docs/design/memory.md). Else the kernel ends jobs in small containers.
TEST(Plan, what_pes_can_touch_by_default_is_there) {
  for (const int nodes : {1, 2}) {
    const Placement pes(0, {0, 0, nodes - 1, nodes - 1});
    const size_t heap = automatic_heap(pes, 4, 0, false, SIZE_MAX), own = nodes > 1 ? 11 * MiB : 0;
    EXPECT_LE(4 * (heap + own), memory_of_node());
    EXPECT_GT(4 * (heap + own + 4 * MiB), memory_of_node() / 16 * 15);  // and no less than that
  }
}

// What is registered is the view.
TEST(Plan, what_is_pinned_by_default_may_be_locked) {
  for (const size_t places : {1, 3, 64, 250}) {
    const size_t lockable = places * GiB / 2;
    SegmentPlan plan{};
    plan.globals_size = MiB;
    plan.system_size = 64 * MiB;
    const size_t others = plan.globals_size + plan.system_size + 2 * huge_page_size;
    plan.heap_size = pinned_heap(places, others, 1024 * GiB, lockable);
    auto layout = layout_of(plan, Placement::on_one_node(0, static_cast<int>(places)));
    ASSERT_TRUE(layout);
    const NodeMemory memory{nullptr, static_cast<int>(places), layout_of_view(*layout)};
    EXPECT_LT(memory.bytes(), lockable);
    EXPECT_GT(memory.bytes(), lockable / 4 * 3);
  }
}

TEST(Plan, another_executable_is_noticed) {
  SegmentPlan plan{};
  plan.globals_size = 8192;
  plan.globals_print = 1;
  DataSegment data;
  data.begin = 0x1000;
  data.end = 0x3000;
  data.fingerprint = 2;
  EXPECT_FALSE(check_same_program(plan, data));
  data.fingerprint = 1;
  EXPECT_TRUE(check_same_program(plan, data));
}

}  // namespace
}  // namespace atrium
