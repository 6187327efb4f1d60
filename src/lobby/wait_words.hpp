// A description that a PE writes into the lobby, and the time from which on it holds. The launcher reads it whole, or not at all.
// SPDX-License-Identifier: BSD-3-Clause
//
// Thread safety. One writer at a time, any number of readers in other
//                processes. The model is tests/models/launcher_model.cpp.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "arch/fence.hpp"

namespace atrium {

inline constexpr uint64_t being_written = 1;  // no time at which anything began

// Afterwards `since_ns` is `since`, which is greater than being_written and than every one before.
template <size_t N>
void publish_words(std::atomic<uint64_t>& since_ns, std::atomic<uint64_t> (&words)[N],
                   const std::array<uint64_t, N>& values, uint64_t since) {
  since_ns.store(being_written, std::memory_order_relaxed);
  release_fence();  // SYNC lobby-wait-text: no reader sees the words before the claim
  for (size_t i = 0; i < N; ++i) words[i].store(values[i], std::memory_order_relaxed);
  since_ns.store(since, std::memory_order_release);  // SYNC lobby-wait
}

// When they began to hold; being_written or less: there are none.
inline uint64_t words_since(const std::atomic<uint64_t>& since_ns) {
  return since_ns.load(std::memory_order_acquire);  // SYNC lobby-wait
}

// Requires: `since` came from words_since. Nothing, if they have changed meanwhile.
template <size_t N>
std::optional<std::array<uint64_t, N>> read_words(const std::atomic<uint64_t>& since_ns,
                                                  const std::atomic<uint64_t> (&words)[N], uint64_t since) {
  std::array<uint64_t, N> values;
  for (size_t i = 0; i < N; ++i) values[i] = words[i].load(std::memory_order_relaxed);
  acquire_fence();  // SYNC lobby-wait-text
  if (since_ns.load(std::memory_order_relaxed) != since) return std::nullopt;
  return values;
}

}  // namespace atrium
