// The shadow of private memory reaches every address that a program can have.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/shadow/private.hpp"

#include <gtest/gtest.h>

#include "interpose/library.hpp"
#include "interpose/say.hpp"
#include "race/shadow/chunks.h"

namespace atrium::interpose {

const char* const tool_name = "race check";
void progress() {}

}  // namespace atrium::interpose

namespace atrium::race {
namespace {

constexpr uintptr_t end_of_addresses = uintptr_t{1} << atrium_race_address_bits;

TEST(private_shadow, is_there_for_the_first_and_the_last_address) {
  EXPECT_NE(private_line(0x10000), nullptr);
  EXPECT_NE(private_line(end_of_addresses - 8), nullptr);
  EXPECT_EQ(private_line(end_of_addresses), nullptr);
}

// Where systems put stacks: in the upper half of the addresses, on AArch64 programs as well.
TEST(private_shadow, is_there_for_what_is_in_use) {
  int on_the_stack = 0;
  EXPECT_NE(private_line(reinterpret_cast<uintptr_t>(&on_the_stack)), nullptr);
#ifdef __aarch64__
  EXPECT_NE(private_line(0xaaaac0de0000), nullptr);
  EXPECT_NE(private_line(0xffffc0de0000), nullptr);
#endif
}

TEST(private_shadow, one_line_is_of_eight_bytes) {
  EXPECT_EQ(private_line(0x10000), private_line(0x10007));
  EXPECT_EQ(private_line(0x10000) + 1, private_line(0x10008));
}

bool is_used(uintptr_t address) { return !private_line(address)->slot[0].when().empty(); }
void use(uintptr_t address) { private_line(address)->slot[0].epoch = 1; }

TEST(private_shadow, is_cleared_where_it_is_to_be_and_nowhere_else) {
  constexpr uintptr_t begin = 0x7f0000020000, at = begin + 0x8000;
  for (const uintptr_t used : {begin - 8, begin, at - 8, at, at + 8, begin + 0xfff8, begin + 0x10000})
    use(used);
  clear_private(at, 8);
  EXPECT_FALSE(is_used(at));
  EXPECT_TRUE(is_used(at - 8) && is_used(at + 8));
  clear_private(begin - 0x100, 0x8100);
  EXPECT_FALSE(is_used(begin - 8) || is_used(begin) || is_used(at - 8));
  EXPECT_TRUE(is_used(at + 8) && is_used(begin + 0xfff8) && is_used(begin + 0x10000));
  clear_private(begin, 0x10000);
  EXPECT_FALSE(is_used(at + 8) || is_used(begin + 0xfff8));
  EXPECT_TRUE(is_used(begin + 0x10000));
}

// As a stack is, again and again: lines that come into use later and lie deeper are not forgotten.
TEST(private_shadow, is_cleared_again_where_it_was_used_again) {
  constexpr uintptr_t begin = 0x7f0000080000, end = begin + 0x10000;
  for (const uintptr_t depth : {0x10u, 0x8u, 0x4000u, 0x20u, 0x10000u}) {
    use(end - depth);
    clear_private(begin, 0x10000 - 8);
    EXPECT_EQ(is_used(end - depth), depth == 8) << depth;
  }
}

}  // namespace
}  // namespace atrium::race
