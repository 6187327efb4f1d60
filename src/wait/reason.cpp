// Describes in words what a thread waits for.
// SPDX-License-Identifier: BSD-3-Clause
#include "wait/reason.hpp"

#include <cinttypes>
#include <cstdio>

namespace atrium {

const char* name_of(WaitKind kind) {
  static constexpr const char* names[] = {"a value",      "a signal", "a lock",    "a barrier",
                                          "a collective", "start-up", "another PE"};
  return names[static_cast<uint32_t>(kind)];
}

std::string describe_words(const WaitReason& reason) {
  if (reason.kind != WaitKind::value && reason.kind != WaitKind::signal) return {};
  char text[80] = "";
  auto* const address = const_cast<const void*>(reason.address);
  if (reason.comparison[0] == '\0')
    std::snprintf(text, sizeof text, ", words from %p on", address);
  else
    std::snprintf(text, sizeof text, ", the word at %p to be %s %" PRId64, address, reason.comparison,
                  static_cast<int64_t>(reason.value));
  return text;
}

}  // namespace atrium
