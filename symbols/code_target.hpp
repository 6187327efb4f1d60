// Where calls and jumps lead to, read from the instructions themselves.
// SPDX-License-Identifier: BSD-3-Clause
//
// Understood are calls of an address that is written in the code and, on x86-64, in a slot of the global offset table;
// and entries of a procedure linkage table, which jump to where a slot says. Others lead to null.
#pragma once

#include <cstdint>
#include <cstring>

namespace atrium {

struct CodeTarget {
  const void* address = nullptr;
  bool is_slot = false;  // the target's address stands at `address`
};

#if defined(__x86_64__)

// The target of the call that returns to `returns`. Requires: six bytes of code in front of it.
inline CodeTarget call_before(const void* returns) {
  const auto* code = static_cast<const unsigned char*>(returns);
  int32_t distance;
  std::memcpy(&distance, code - 4, 4);
  if (code[-6] == 0xff && code[-5] == 0x15) return {code + distance, true};  // call *slot(%rip)
  if (code[-5] == 0xe8) return {code + distance, false};                     // call target
  return {};
}

// The target of an entry of a procedure linkage table. Requires: eleven bytes of code.
inline CodeTarget jump_at(const void* entry) {
  const auto* jump = static_cast<const unsigned char*>(entry);
  if (std::memcmp(jump, "\xf3\x0f\x1e\xfa", 4) == 0) jump += 4;  // endbr64
  if (*jump == 0xf2) ++jump;                                     // bnd
  int32_t distance;
  std::memcpy(&distance, jump + 2, 4);
  if (jump[0] != 0xff || jump[1] != 0x25) return {};
  return {jump + 6 + distance, true};  // jmp *slot(%rip)
}

#elif defined(__aarch64__)

inline CodeTarget call_before(const void* returns) {
  const auto* code = static_cast<const uint32_t*>(returns) - 1;
  if (*code >> 26 != 0x25) return {};
  return {code + (static_cast<int32_t>(*code << 6) >> 6), false};  // bl target
}

inline CodeTarget jump_at(const void* entry) {
  const auto* jump = static_cast<const uint32_t*>(entry);
  if (*jump == 0xd503245f) ++jump;  // bti c
  const uint32_t page = jump[0], load = jump[1];
  if ((page & 0x9f00001f) != 0x90000010 || (load & 0xffc003ff) != 0xf9400211) return {};
  const int64_t pages =
      (static_cast<int32_t>((page & 0x00ffffe0) << 8) >> 11) | static_cast<int32_t>(page >> 29 & 3);
  const auto here = reinterpret_cast<uintptr_t>(jump) & ~uintptr_t{4095};
  const uintptr_t slot = here + static_cast<uintptr_t>(pages * 4096) + (load >> 10 & 4095) * 8;
  return {reinterpret_cast<const void*>(slot), true};  // adrp x16, page; ldr x17, [x16, #offset]
}

#else

inline CodeTarget call_before(const void*) { return {}; }
inline CodeTarget jump_at(const void*) { return {}; }

#endif

}  // namespace atrium
