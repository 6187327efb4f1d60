// Which address an instruction has touched, read from the instruction itself.
// SPDX-License-Identifier: BSD-3-Clause
//
// An x86-64 processor does not say it of an address that no program can have (not "canonical"): adding a delta to an address
// near the stack makes such ones. AArch64 always says it.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>

namespace atrium {

// By the numbers that instructions have for them: rax rcx rdx rbx rsp rbp rsi rdi r8 ... r15.
struct OperandRegisters {
  uint64_t by_number[16];
};

#if defined(__x86_64__)

// What stands in front of an instruction's last byte of opcode; how the registers of its address are extended.
struct OperandPrefix {
  const unsigned char* opcode;
  unsigned index_high, base_high;  // 0 or 8
  int64_t unit = 1;                // of a displacement of one byte
  bool is_long_form = false;       // opcode is of an extended map, where no string instruction is
};

inline bool is_legacy_prefix(unsigned char byte) {
  return std::memchr("\x66\x67\xf0\xf2\xf3\x2e\x36\x3e\x26", byte, 9) != nullptr;
}

// VEX and EVEX have their bits inverted. The unit is that of instructions that move whole vectors.
inline OperandPrefix operand_prefix(const unsigned char* code) {
  while (is_legacy_prefix(*code)) ++code;
  const auto high = [](unsigned byte, unsigned bit) { return byte & bit ? 0u : 8u; };
  if (*code == 0xc5) return {code + 2, 0, 0, 1, true};
  if (*code == 0xc4) return {code + 3, high(code[1], 0x40), high(code[1], 0x20), 1, true};
  if (*code == 0x62)
    return {code + 4, high(code[1], 0x40), high(code[1], 0x20), int64_t{16} << (code[3] >> 5 & 3), true};
  OperandPrefix prefix{code, 0, 0};
  if ((*code & 0xf0) == 0x40) {
    prefix = {code + 1, *code & 2 ? 8u : 0u, *code & 1 ? 8u : 0u};
  }
  if (*prefix.opcode != 0x0f) return prefix;
  prefix.is_long_form = true;
  ++prefix.opcode;
  if (*prefix.opcode == 0x38 || *prefix.opcode == 0x3a) ++prefix.opcode;
  return prefix;
}

// Base, index and displacement, as the bytes behind the opcode name them; nothing where there is no such operand, or it is
// relative to the instruction.
inline std::optional<uint64_t> operand_behind(const OperandPrefix& prefix,
                                              const OperandRegisters& registers) {
  const unsigned char* code = prefix.opcode + 1;
  const unsigned mode = *code >> 6, low = *code & 7;
  ++code;
  if (mode == 3 || (mode == 0 && low == 5)) return std::nullopt;
  uint64_t sum = 0;
  bool has_base = true;
  if (low == 4) {
    const unsigned scale = *code >> 6, index = (*code >> 3 & 7) + prefix.index_high, base = *code & 7;
    ++code;
    has_base = mode != 0 || base != 5;
    if (index != 4) sum += registers.by_number[index] << scale;
    if (has_base) sum += registers.by_number[base + prefix.base_high];
  } else {
    sum += registers.by_number[low + prefix.base_high];
  }
  int32_t displacement = 0;
  if (mode == 1) return sum + static_cast<uint64_t>(static_cast<signed char>(*code) * prefix.unit);
  if (mode == 2 || !has_base) std::memcpy(&displacement, code, 4);
  return sum + static_cast<uint64_t>(int64_t{displacement});
}

inline bool no_program_can_have(uint64_t address) { return address >> 47 != 0 && ~address >> 47 != 0; }

// Requires: the instruction at `code` has faulted at an address that no program can have.
inline std::optional<uint64_t> impossible_operand(const unsigned char* code,
                                                  const OperandRegisters& registers) {
  const OperandPrefix prefix = operand_prefix(code);
  const unsigned char opcode = *prefix.opcode;
  const bool moves_string = !prefix.is_long_form && (opcode == 0xa4 || opcode == 0xa5);
  const bool fills_string = !prefix.is_long_form && (opcode == 0xaa || opcode == 0xab);
  constexpr int rsi = 6, rdi = 7;
  std::optional<uint64_t> found;
  if (moves_string && no_program_can_have(registers.by_number[rsi]))
    found = registers.by_number[rsi];
  else if (moves_string || fills_string)
    found = registers.by_number[rdi];
  else
    found = operand_behind(prefix, registers);
  return found && no_program_can_have(*found) ? found : std::nullopt;
}

#endif

}  // namespace atrium
