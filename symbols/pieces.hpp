// Splits a text into pieces, which a reader takes one after the other. Streams of C++ would bring their locales into every program.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

namespace atrium {

// A part of the text up to `end`, which is taken off with it; nothing where `end` is not there.
inline std::optional<std::string> take(std::string& text, char end) {
  const size_t length = text.find(end);
  if (length == std::string::npos) return std::nullopt;
  std::string part = text.substr(0, length);
  text.erase(0, length + 1);
  return part;
}

}  // namespace atrium
