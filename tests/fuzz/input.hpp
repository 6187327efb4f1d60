// The bytes that the fuzzer hands over, taken off from the front; zeros when they are used up.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

// What must hold for every input: else the fuzzer has found something, and keeps the input.
#define MUST(condition, why)                                                        \
  do {                                                                              \
    if (!(condition)) {                                                             \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, why); \
      std::abort();                                                                 \
    }                                                                               \
  } while (false)

class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}

  template <class T>
  T take() {
    T value{};
    const std::size_t bytes = std::min(left_, sizeof value);
    if (bytes > 0) std::memcpy(static_cast<void*>(&value), data_, bytes);
    data_ += bytes, left_ -= bytes;
    return value;
  }
  // A number from 0 to `most`, out of one byte.
  int up_to(int most) { return take<std::uint8_t>() % (most + 1); }
  // All that is left, as words between newlines.
  std::vector<std::string> words() const {
    std::vector<std::string> found(1);
    for (const char letter : rest())
      letter == '\n' ? void(found.emplace_back()) : void(found.back() += letter);
    return found;
  }
  std::string_view rest() const { return {reinterpret_cast<const char*>(data_), left_}; }
  std::size_t left() const { return left_; }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};
