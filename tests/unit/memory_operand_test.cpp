// Addresses of instructions that have faulted (arch/memory_operand.hpp), assembled by gas.
// SPDX-License-Identifier: BSD-3-Clause
#include "arch/memory_operand.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#if defined(__x86_64__)
namespace atrium {
namespace {

constexpr uint64_t far = 0x8123456789a0;  // no program's

uint64_t operand(std::vector<unsigned char> code, std::vector<uint64_t> values) {
  OperandRegisters registers{};
  for (size_t i = 0; i < values.size(); ++i) registers.by_number[i] = values[i];
  code.resize(16, 0x90);
  return impossible_operand(code.data(), registers).value_or(0);
}

// Registers by number: rax rcx rdx rbx rsp rbp rsi rdi r8 ...
TEST(MemoryOperand, of_a_store_to_a_sum_of_two_registers) {
  EXPECT_EQ(operand({0x48, 0x89, 0x0c, 0x02}, {far - 16, 1, 16}), far);  // mov %rcx,(%rdx,%rax)
}

TEST(MemoryOperand, of_scaled_and_extended_registers) {
  std::vector<uint64_t> values(16);
  values[14] = far - 80;
  values[13] = 10;
  EXPECT_EQ(operand({0x4b, 0x89, 0x04, 0xee}, values), far);  // mov %rax,(%r14,%r13,8)
}

TEST(MemoryOperand, with_displacements_of_one_and_of_four_bytes) {
  EXPECT_EQ(operand({0x88, 0x48, 0xf0}, {far + 16}), far);                     // mov %cl,-0x10(%rax)
  EXPECT_EQ(operand({0x89, 0x88, 0x00, 0x01, 0x00, 0x00}, {far - 256}), far);  // mov %ecx,0x100(%rax)
  EXPECT_EQ(operand({0x89, 0x0c, 0xc5, 0x00, 0x01, 0x00, 0x00}, {far / 8}),
            far / 8 * 8 + 256);  // mov %ecx,0x100(,%rax,8)
}

TEST(MemoryOperand, of_atomic_operations) {
  EXPECT_EQ(operand({0xf0, 0x48, 0x0f, 0xc1, 0x0c, 0x10}, {far, 0, 0}), far);  // lock xadd %rcx,(%rax,%rdx)
  EXPECT_EQ(operand({0x48, 0x87, 0x08}, {far}), far);                          // xchg %rcx,(%rax)
}

TEST(MemoryOperand, of_vector_moves) {
  EXPECT_EQ(operand({0x0f, 0x11, 0x40, 0x10}, {far - 16}), far);        // movups %xmm0,0x10(%rax)
  EXPECT_EQ(operand({0xc5, 0xfe, 0x7f, 0x40, 0x20}, {far - 32}), far);  // vmovdqu %ymm0,0x20(%rax)
  EXPECT_EQ(operand({0xc4, 0xc1, 0x7e, 0x7f, 0x00}, std::vector<uint64_t>{0, 0, 0, 0, 0, 0, 0, 0, far}),
            far);  // vmovdqu %ymm0,(%r8)
  EXPECT_EQ(operand({0x62, 0xf1, 0xfe, 0x48, 0x7f, 0x40, 0x01}, {far - 64}),
            far);  // vmovdqu64 %zmm0,0x40(%rax)
}

TEST(MemoryOperand, of_string_instructions) {
  EXPECT_EQ(operand({0xf3, 0xa4}, {0, 0, 0, 0, 0, 0, 1000, far}), far);  // rep movsb
  EXPECT_EQ(operand({0xf3, 0x48, 0xa5}, {0, 0, 0, 0, 0, 0, far, 1000}), far);
}

TEST(MemoryOperand, nothing_where_the_address_is_a_programs_or_there_is_none) {
  EXPECT_EQ(operand({0x48, 0x89, 0x08}, {1000}), 0u);                         // mov %rcx,(%rax)
  EXPECT_EQ(operand({0x48, 0x89, 0xc8}, {far}), 0u);                          // mov %rcx,%rax
  EXPECT_EQ(operand({0x48, 0x89, 0x05, 0x00, 0x00, 0x00, 0x00}, {far}), 0u);  // mov %rax,0(%rip)
}

}  // namespace
}  // namespace atrium
#endif
