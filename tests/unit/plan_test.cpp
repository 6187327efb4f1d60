// The plan and the layout of the segment (job/segment_plan.hpp, segment/layout.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "job/segment_plan.hpp"
#include "os/page.hpp"

namespace atrium {
namespace {

TEST(Layout, parts_do_not_overlap_and_have_one_stride) {
  bool overflow = true;
  const Layout layout =
      divide_segment(4, lobby_bytes(4, 1, 4), 3 * 4096, size_t{8} << 20, size_t{100} << 20, overflow);
  ASSERT_FALSE(overflow);
  for (int pe = 0; pe < 4; ++pe) {
    EXPECT_EQ(layout.heap_offset(pe) % huge_page_size, 0u);
    EXPECT_EQ(layout.globals_offset(pe) - layout.heap_offset(pe), layout.globals_at - layout.heaps_at);
    EXPECT_LT(layout.heap_offset(pe) + layout.system_size + layout.heap_size, layout.heap_offset(pe + 1));
    EXPECT_LT(layout.globals_offset(pe) + layout.globals_size, layout.globals_offset(pe + 1));
  }
  EXPECT_GE(layout.heaps_at, lobby_bytes(4, 1, 4));
  EXPECT_LE(layout.heap_offset(4), layout.globals_offset(0));
}

TEST(Layout, static_data_larger_than_the_heap_widen_the_stride) {
  bool overflow = true;
  const Layout layout =
      divide_segment(2, lobby_bytes(2, 1, 2), size_t{1} << 30, size_t{8} << 20, size_t{1} << 20, overflow);
  EXPECT_FALSE(overflow);
  EXPECT_GT(layout.stride, size_t{1} << 30);
}

TEST(Plan, sizes_that_no_file_can_hold_are_an_error) {
  SegmentPlan plan{};
  plan.heap_size = size_t{1} << 60;
  EXPECT_FALSE(layout_of(plan, Placement::on_one_node(0, 64)));
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
