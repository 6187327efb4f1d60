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

// How many bytes the first letter of a text has in UTF-8; 0: it does not begin with one.
inline size_t bytes_of_letter(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const size_t bytes = first < 0x80   ? 1
                       : first < 0xc2 ? 0
                       : first < 0xe0 ? 2
                       : first < 0xf0 ? 3
                       : first < 0xf5 ? 4
                                      : 0;
  if (text.size() < bytes) return 0;
  for (size_t i = 1; i < bytes; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  if (bytes < 3) return bytes;
  // Letters that would need fewer bytes, halves of UTF-16's pairs, and what is beyond Unicode.
  const bool is_none = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) >= 0xa0) ||
                       (first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) >= 0x90);
  return is_none ? 0 : bytes;
}

// A text between quotes, as it stands in JSON, which is UTF-8: other bytes, as paths may have, become the mark for what has no letter.
inline std::string quoted_for_json(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const size_t bytes = bytes_of_letter(text);
    const char letter = text[0];
    char code[8];
    if (letter == '"' || letter == '\\')
      quoted += std::string("\\") + letter;
    else if (static_cast<unsigned char>(letter) < ' ')
      std::snprintf(code, sizeof code, "\\u%04x", letter), quoted += code;
    else
      quoted += bytes == 0 ? "\\ufffd" : text.substr(0, bytes);
    text.remove_prefix(std::max<size_t>(bytes, 1));
  }
  return quoted + "\"";
}

}  // namespace atrium
