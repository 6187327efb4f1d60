// Random numbers that are the same everywhere: the standard's generators are, its distributions are not.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace atrium::sim {

// A number that depends on all bits of its argument (splitmix64, public domain, Sebastiano Vigna).
constexpr uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

class Random {
 public:
  explicit Random(uint64_t seed) : state_(mixed(seed)) {}

  uint64_t next() { return mixed(state_++); }
  // Of first ... last.
  int64_t between(int64_t first, int64_t last) {
    return first + static_cast<int64_t>(next() % static_cast<uint64_t>(last - first + 1));
  }
  // Every order of magnitude is as likely as another. Requires: 1 <= first <= last.
  int64_t magnitude(int64_t first, int64_t last) {
    const int digits =
        static_cast<int>(between(std::bit_width(uint64_t(first)), std::bit_width(uint64_t(last))));
    const int64_t least = int64_t{1} << (digits - 1);
    return between(std::max(first, least), std::min(last, 2 * least - 1));
  }
  bool chance(double of_one) {
    return static_cast<double>(next() >> 11) < of_one * static_cast<double>(uint64_t{1} << 53);
  }
  template <class T, size_t N>
  const T& one_of(const T (&choices)[N]) {
    return choices[next() % N];
  }

 private:
  uint64_t state_;
};

}  // namespace atrium::sim
