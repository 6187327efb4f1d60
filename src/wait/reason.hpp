// What a wait is for: as the waiting routine says it, and in words for people.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace atrium {

enum class WaitKind : uint32_t { value, signal, lock, barrier, collective, startup, other };

struct WaitReason {
  WaitKind kind = WaitKind::other;
  const volatile void* address = nullptr;  // mine, symmetric
  size_t bytes = 0;             // a store that ends the wait touches these bytes; 0: any store might
  uint64_t value = 0;           // what it is compared with
  const char* comparison = "";  // how: "==", "!=", ">", ...; at most two characters
  uint32_t width = 0;           // bytes of the word that is compared; 0: there is not one word
  int pe = -1;                  // the PE of the job that alone can end the wait, if there is one
  bool ends_here = false;       // a PE of my own node ends it: the network need not be looked at each time
};

// "a value", "a lock", ...
const char* name_of(WaitKind kind);

// ", the word at 0x... to be >= 42" or ", words from 0x... on"; nothing where the words are the library's own, which
// mean nothing to people.
std::string describe_words(const WaitReason& reason);

}  // namespace atrium
