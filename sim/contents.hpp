// What PEs bring into collectives, and what must come out: every byte follows from who it is of and where it lies.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "coll/coll.hpp"
#include "sim/random.hpp"

namespace atrium::sim {

// The content of one block: another one for each key.
class Content {
 public:
  explicit Content(uint64_t key) : key_(mixed(key)) {}
  uint64_t word(size_t i) const { return mixed(key_ + i); }
  void write(void* place, size_t bytes) const {
    each_word(bytes, [&](size_t at, uint64_t word, size_t n) {
      return std::memcpy(static_cast<char*>(place) + at, &word, n), true;
    });
  }
  bool is_at(const void* place, size_t bytes) const {
    return each_word(bytes, [&](size_t at, uint64_t word, size_t n) {
      return std::memcmp(static_cast<const char*>(place) + at, &word, n) == 0;
    });
  }

 private:
  template <class Use>
  bool each_word(size_t bytes, Use use) const {
    for (size_t at = 0; at < bytes; at += sizeof(uint64_t))
      if (!use(at, word(at / sizeof(uint64_t)), std::min(sizeof(uint64_t), bytes - at))) return false;
    return true;
  }
  uint64_t key_;
};

// An operation on elements of a type, for reductions and scans.
struct Arithmetic {
  const char* name;
  size_t element;  // bytes
  void (*write)(const Content& content, void* place, size_t n);
  // left = left op the content's.
  void (*add)(void* left, const Content& content, size_t n);
  int (*reduce)(Team& team, void* dest, const void* source, size_t n);
  int (*inclusive)(Team& team, void* dest, const void* source, size_t n);  // null but for sums
  int (*exclusive)(Team& team, void* dest, const void* source, size_t n);
};

namespace detail {

// Whole numbers, small where a sum of them must be exact.
template <class T>
T value_of(uint64_t word) {
  return std::is_floating_point_v<T> ? static_cast<T>(static_cast<int64_t>(word % 2001) - 1000)
                                     : static_cast<T>(word);
}

template <Op op, class T>
T joined(T left, T right) {
  if constexpr (std::is_floating_point_v<T>) {
    return op == Op::sum ? left + right : op == Op::min ? std::min(left, right) : std::max(left, right);
  } else {
    const auto a = static_cast<uint64_t>(left), b = static_cast<uint64_t>(right);
    switch (op) {
      case Op::sum:
        return static_cast<T>(a + b);
      case Op::prod:
        return static_cast<T>(a * b);
      case Op::min:
        return std::min(left, right);
      case Op::max:
        return std::max(left, right);
      case Op::bit_and:
        return static_cast<T>(a & b);
      case Op::bit_or:
        return static_cast<T>(a | b);
      default:
        return static_cast<T>(a ^ b);
    }
  }
}

template <Op op, class T>
constexpr Arithmetic arithmetic(const char* name) {
  Arithmetic a{};
  a.name = name;
  a.element = sizeof(T);
  a.write = [](const Content& content, void* place, size_t n) {
    for (size_t i = 0; i < n; ++i) static_cast<T*>(place)[i] = value_of<T>(content.word(i));
  };
  a.add = [](void* left, const Content& content, size_t n) {
    T* const mine = static_cast<T*>(left);
    for (size_t i = 0; i < n; ++i) mine[i] = joined<op, T>(mine[i], value_of<T>(content.word(i)));
  };
  a.reduce = [](Team& team, void* dest, const void* source, size_t n) {
    return atrium::reduce<op>(team, static_cast<T*>(dest), static_cast<const T*>(source), n);
  };
  if constexpr (op == Op::sum) {
    a.inclusive = [](Team& team, void* dest, const void* source, size_t n) {
      return atrium::inscan(team, static_cast<T*>(dest), static_cast<const T*>(source), n);
    };
    a.exclusive = [](Team& team, void* dest, const void* source, size_t n) {
      return atrium::exscan(team, static_cast<T*>(dest), static_cast<const T*>(source), n);
    };
  }
  return a;
}

}  // namespace detail

inline constexpr Arithmetic arithmetics[] = {
    detail::arithmetic<Op::sum, long>("sum of long"),
    detail::arithmetic<Op::sum, int>("sum of int"),
    detail::arithmetic<Op::sum, double>("sum of double"),
    detail::arithmetic<Op::sum, short>("sum of short"),
    detail::arithmetic<Op::prod, int>("prod of int"),
    detail::arithmetic<Op::min, double>("min of double"),
    detail::arithmetic<Op::max, long>("max of long"),
    detail::arithmetic<Op::bit_and, unsigned char>("and of unsigned char"),
    detail::arithmetic<Op::bit_or, unsigned>("or of unsigned"),
    detail::arithmetic<Op::bit_xor, unsigned long>("xor of unsigned long")};

}  // namespace atrium::sim
