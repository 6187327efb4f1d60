// Stands in front of src/ops/target.hpp when a model is compiled: each thread is a PE, whose memory begins at
// memory_of[PE].
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

#define remote_address remote_address_in_a_process  // the model has one for threads
#include "transport/address.hpp"
#undef remote_address

#include "context/context.hpp"
#include "explorer/words.hpp"
#include "transport/away.hpp"

namespace atrium {

inline std::byte* memory_of[8];

inline RemoteAddress remote_address(const void* mine, int pe) {
  const auto offset = static_cast<const std::byte*>(mine) - memory_of[model::this_thread()];
  return {pe, Range::globals, static_cast<uint64_t>(offset)};
}

struct Wanted {
  const char* argument;
  size_t bytes, alignment;
};

class Target {
 public:
  Target(Context&, const void* mine, int pe, const Wanted& = {})
      : memory_(memory_of[pe] + (static_cast<const std::byte*>(mine) - memory_of[model::this_thread()])) {}
  static constexpr bool is_here() { return true; }
  void* memory() const { return memory_; }
  void announce(size_t) const {}
  AwayTransport& transport() const { __builtin_unreachable(); }
  RemoteAddress address() const { __builtin_unreachable(); }
  Context& context() const { __builtin_unreachable(); }

 private:
  std::byte* memory_;
};

}  // namespace atrium
