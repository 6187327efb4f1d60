// Numbers, names and lists as people and programs write and read them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

// 74565 -> "0x12345".
inline std::string hexadecimal(uint64_t number) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
  return text;
}

// Takes the number at the front of a text off it.
template <class Number>
std::optional<Number> take_number(std::string_view& text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

// A number of at least `least`, with nothing behind it.
template <class Number>
std::optional<Number> parse_number(std::string_view text, Number least) {
  const auto number = take_number<Number>(text);
  return number && text.empty() && *number >= least ? number : std::nullopt;
}

// "a,,b" -> {"a", "b"}: what lies between any of the separators, without empty parts.
inline std::vector<std::string> split_words(std::string_view text, const char* separators) {
  std::vector<std::string> words;
  for (size_t begin = 0; (begin = text.find_first_not_of(separators, begin)) != std::string_view::npos;) {
    const size_t end = std::min(text.find_first_of(separators, begin), text.size());
    words.emplace_back(text.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

// "/usr/bin/ssh" -> "ssh".
inline std::string file_name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

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
