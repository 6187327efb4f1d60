// Which kernel copies what on which processor.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "arch/processor.hpp"
#include "copy/copy.hpp"
#include "shmem/blocks.h"

namespace atrium {
namespace {

class CopySelection : public testing::Test {
 protected:
  void TearDown() override {
    unsetenv("ATRIUM_COPY");
    EXPECT_TRUE(select_copy());
  }
  // What the plan says when ATRIUM_COPY is that.
  std::string asked_for(const char* text) {
    setenv("ATRIUM_COPY", text, 1);
    auto selected = select_copy();
    return selected ? describe(chosen_copy_plan()) : selected.error().because;
  }
};

TEST_F(CopySelection, a_processor_nobody_has_measured_keeps_libc) {
  const MeasuredPlan plan = measured_copy_plan(Processor{.sse2 = true, .avx2 = true});
  EXPECT_STREQ(plan.rule, "");
  EXPECT_STREQ(plan.model, "");
}

// What a program's own code copies is below the first size of the plan.
TEST_F(CopySelection, a_plan_from_0_bytes_on_leaves_nothing_to_the_program) {
  EXPECT_EQ(asked_for("put:100=libc;get:100=libc"), "put:100=libc;get:100=libc");
  EXPECT_EQ(atrium_copies_1.put, 99u - ATRIUM_WORD_BYTES);
  EXPECT_EQ(atrium_copies_1.get, 99u);
  for (const char* plan : {"put:0=libc;get:0=libc", "put:1=libc;get:1=libc"}) {
    EXPECT_EQ(asked_for(plan), plan);
    EXPECT_EQ(atrium_copies_1.put, 0u);
    EXPECT_EQ(atrium_copies_1.get, 0u);
  }
}

// Their readers may clear a word as soon as it is there, and a kernel may store it twice.
TEST_F(CopySelection, a_plan_from_0_bytes_on_leaves_small_blocks_to_loads_and_stores) {
  asked_for("put:0=libc;get:4K=libc");
  EXPECT_EQ(chosen_copy_plan().put.first, copied_inline + 1);
  EXPECT_EQ(chosen_copy_plan().get.first, size_t{4} << 10);
}

#if defined(__x86_64__)
constexpr Processor everything{
    .amd = true, .family = 26, .model = 2, .sse2 = true, .avx2 = true, .avx512f = true, .short_movsb = true};

TEST_F(CopySelection, every_measured_rule_can_be_read) {
  for (unsigned family : {6u, 26u})
    for (unsigned model = 0; model < 256; ++model) {
      Processor processor = everything;
      processor.amd = family == 26, processor.intel = family == 6;
      processor.family = family, processor.model = model;
      const MeasuredPlan plan = measured_copy_plan(processor);
      if (*plan.rule == '\0') continue;
      EXPECT_TRUE(parse_copy_plan(plan.rule, processor)) << plan.model;
    }
}

TEST_F(CopySelection, turin_takes_the_string_instruction_for_large_blocks) {
  auto plan = parse_copy_plan(measured_copy_plan(everything).rule, everything);
  EXPECT_STREQ(plan->put.bands[0].kernel->name, "rep_movsb");
  EXPECT_EQ(plan->put.first, size_t{512} << 10);
}

TEST_F(CopySelection, a_kernel_can_be_forced) { EXPECT_EQ(asked_for("sse2"), "put:4K=sse2;get:4K=sse2"); }
#endif

TEST_F(CopySelection, a_rule_can_be_given_for_each_direction) {
  EXPECT_EQ(asked_for("put:64K=libc,1M=libc;get:4K=libc"), "put:64K=libc,1M=libc;get:4K=libc");
  EXPECT_EQ(asked_for("get:1.5K=libc"), "get:1.5K=libc");
}

TEST_F(CopySelection, a_rule_with_a_mistake_is_an_error_that_names_it) {
  EXPECT_EQ(asked_for("send:4K=libc"), "'send' is neither put nor get");
  EXPECT_EQ(asked_for("put:4K=warp"), "no copy kernel is called 'warp'");
  EXPECT_EQ(asked_for("put:many=libc"), "'many' is no size");
  EXPECT_EQ(asked_for("put:4K=libc,4K=libc"), "the sizes do not grow");
  EXPECT_EQ(asked_for("put:1K=libc,2K=libc,3K=libc,4K=libc,5K=libc"), "there are more than 4 sizes");
}

TEST_F(CopySelection, an_unknown_kernel_is_an_error_that_lists_those_there_are) {
  setenv("ATRIUM_COPY", "warp", 1);
  auto selected = select_copy();
  ASSERT_FALSE(selected);
  EXPECT_NE(selected.error().what.find("ATRIUM_COPY=warp"), std::string::npos);
  EXPECT_NE(selected.error().remedy.find("libc"), std::string::npos);
}

}  // namespace
}  // namespace atrium
