// Numbers and names as people and programs read them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace atrium {

// 1234567 -> "1,234,567".
inline std::string with_commas(uint64_t number) {
  std::string text = std::to_string(number);
  for (size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

// "1 byte", "2,000 bytes".
inline std::string counted(uint64_t number, const std::string& one) {
  return with_commas(number) + " " + one + (number == 1 ? "" : "s");
}

// A text between quotes, as it stands in JSON.
inline std::string quoted_for_json(const std::string& text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    char code[8];
    if (letter == '"' || letter == '\\')
      quoted += std::string("\\") + letter;
    else if (static_cast<unsigned char>(letter) < ' ')
      std::snprintf(code, sizeof code, "\\u%04x", letter), quoted += code;
    else
      quoted += letter;
  }
  return quoted + "\"";
}

}  // namespace atrium
