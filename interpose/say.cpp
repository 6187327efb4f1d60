// Writes to standard error, each text in one system call where the kernel takes it so.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/say.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>

#include "atrium_message.hpp"
#include "atrium_settings.h"

namespace atrium::interpose {

void say(const std::string& text) {
  write_to_stderr(std::string("atrium: ") + tool_name + ": " + text + "\n");
}

void say_once(const char* text) {
  static std::array<std::atomic<const char*>, 16> said{};
  for (auto& one : said) {
    const char* nobody = nullptr;
    if (one.compare_exchange_strong(nobody, text)) return say(text);
    if (nobody == text) return;
  }
}

bool is_quiet() {
  const char* text = std::getenv("ATRIUM_QUIET");
  return text && atrium_parse_flag(text) == 1;
}

void give_up(const char* text) {
  say(text);
  _exit(1);
}

}  // namespace atrium::interpose
