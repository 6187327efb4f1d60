// Messages as C++ has them: whole texts of any length.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <unistd.h>

#include <string>

#include "atrium_message.h"

namespace atrium {

// All that write(atrium_text&) appends.
template <class Write>
std::string text_by(Write write) {
  atrium_text counted{nullptr, 0, 0};
  write(counted);
  std::string text(counted.length, '\0');
  atrium_text written{text.data(), text.size() + 1, 0};
  write(written);
  return text;
}

inline std::string format_message(const std::string& who, const atrium_message& message) {
  std::string text(atrium_format_message(who.c_str(), &message, nullptr, 0), '\0');
  atrium_format_message(who.c_str(), &message, text.data(), text.size() + 1);
  return text;
}

// In one piece where the kernel takes it so.
inline void write_to_stderr(const std::string& text) {
  atrium_write_whole(STDERR_FILENO, text.data(), text.size());
}

}  // namespace atrium
