// Where calls and entries of a procedure linkage table lead to.
// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/code_target.hpp"

#include <gtest/gtest.h>

namespace atrium {
namespace {

#if defined(__x86_64__)

TEST(CodeTarget, a_call_with_its_target_in_the_code) {
  const unsigned char code[] = {0x90, 0xe8, 0x10, 0, 0, 0};  // nop; call .+16
  const CodeTarget target = call_before(code + 6);
  EXPECT_EQ(target.address, code + 6 + 16);
  EXPECT_FALSE(target.is_slot);
}

TEST(CodeTarget, a_call_through_a_slot_that_lies_in_front) {
  const unsigned char code[] = {0xff, 0x15, 0xf0, 0xff, 0xff, 0xff};  // call *-16(%rip)
  const CodeTarget target = call_before(code + 6);
  EXPECT_EQ(target.address, code + 6 - 16);
  EXPECT_TRUE(target.is_slot);
}

TEST(CodeTarget, a_call_of_a_register_is_not_understood) {
  const unsigned char code[] = {0x90, 0x90, 0x90, 0x90, 0xff, 0xd0};  // call *%rax
  EXPECT_EQ(call_before(code + 6).address, nullptr);
}

TEST(CodeTarget, entries_of_a_linkage_table) {
  const unsigned char plain[] = {0xff, 0x25, 0x20, 0, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(jump_at(plain).address, plain + 6 + 32);
  const unsigned char guarded[] = {0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff,
                                   0x25, 0x20, 0,    0,    0};  // endbr64; bnd jmp
  EXPECT_EQ(jump_at(guarded).address, guarded + 11 + 32);
  const unsigned char function[] = {0x55, 0x48, 0x89, 0xe5, 0, 0,
                                    0,    0,    0,    0,    0};  // push %rbp; mov %rsp, %rbp
  EXPECT_EQ(jump_at(function).address, nullptr);
}

#elif defined(__aarch64__)

TEST(CodeTarget, a_call_with_its_target_in_the_code) {
  const uint32_t code[] = {0x94000004, 0x97ffffff};  // bl .+16; bl .-4
  EXPECT_EQ(call_before(code + 1).address, code + 4);
  EXPECT_EQ(call_before(code + 2).address, code);
}

TEST(CodeTarget, a_call_of_a_register_is_not_understood) {
  const uint32_t code[] = {0xd63f0100};  // blr x8
  EXPECT_EQ(call_before(code + 1).address, nullptr);
}

TEST(CodeTarget, entries_of_a_linkage_table) {
  const uint32_t entry[] = {0xb0000010, 0xf9401211, 0};  // adrp x16, .+1 page; ldr x17, [x16, #32]
  const auto page = reinterpret_cast<uintptr_t>(entry) & ~uintptr_t{4095};
  EXPECT_EQ(jump_at(entry).address, reinterpret_cast<const void*>(page + 4096 + 32));
  const uint32_t function[] = {0xa9bf7bfd, 0x910003fd, 0};  // stp x29, x30, [sp, #-16]!; mov x29, sp
  EXPECT_EQ(jump_at(function).address, nullptr);
}

#endif

}  // namespace
}  // namespace atrium
