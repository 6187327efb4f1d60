// The numbers of DWARF 5 (sections 7.5.3, 7.5.4 and 7.7.1) that are used here. Its headers need not be installed.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace atrium {

enum DwarfTag : int {
  tag_class = 0x02,
  tag_block = 0x0b,
  tag_structure = 0x13,
  tag_common_block = 0x1a,
  tag_inlined = 0x1d,
  tag_module = 0x1e,
  tag_catch = 0x25,
  tag_subprogram = 0x2e,
  tag_try = 0x32,
  tag_variable = 0x34,
  tag_namespace = 0x39
};

inline constexpr unsigned dwarf_location = 0x02, dwarf_call_file = 0x58,
                          dwarf_call_line = 0x59;  // attributes
inline constexpr uint8_t dwarf_address = 0x03;     // an operation: it is at this address

}  // namespace atrium
