// Which kernel is chosen on which processor.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

#include "copy/copy.hpp"

namespace atrium {
namespace {

class CopySelection : public testing::Test {
 protected:
  void TearDown() override {
    unsetenv("ATRIUM_COPY");
    EXPECT_TRUE(select_copy());
  }
};

TEST_F(CopySelection, a_processor_nobody_has_measured_keeps_libc) {
  const CopyChoice choice = choose_copy_kernel(Processor{.sse2 = true, .avx2 = true});
  EXPECT_STREQ(choice.kernel->name, "libc");
  EXPECT_EQ(choice.from, never);
}

#if defined(__x86_64__)
TEST_F(CopySelection, turin_takes_the_string_instruction) {
  const CopyChoice choice =
      choose_copy_kernel(Processor{.amd = true, .sse2 = true, .avx512f = true, .short_movsb = true});
  EXPECT_STREQ(choice.kernel->name, "rep_movsb");
}

TEST_F(CopySelection, an_intel_processor_with_avx512_streams_from_4_mib) {
  const CopyChoice choice =
      choose_copy_kernel(Processor{.intel = true, .sse2 = true, .avx512f = true, .short_movsb = true});
  EXPECT_STREQ(choice.kernel->name, "avx512");
  EXPECT_EQ(choice.from, size_t{4} << 20);
}

TEST_F(CopySelection, a_kernel_can_be_forced) {
  setenv("ATRIUM_COPY", "sse2", 1);
  ASSERT_TRUE(select_copy());
  EXPECT_STREQ(chosen_copy_kernel().kernel->name, "sse2");
}
#endif

TEST_F(CopySelection, an_unknown_kernel_is_an_error_that_lists_those_there_are) {
  setenv("ATRIUM_COPY", "warp", 1);
  auto selected = select_copy();
  ASSERT_FALSE(selected);
  EXPECT_NE(selected.error().what.find("ATRIUM_COPY=warp"), std::string::npos);
  EXPECT_NE(selected.error().remedy.find("libc"), std::string::npos);
}

}  // namespace
}  // namespace atrium
