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

}  // namespace
}  // namespace atrium::race
