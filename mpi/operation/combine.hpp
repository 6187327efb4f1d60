// The loops, one for each operation and type of C++, and values to try them on.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "operation/operation.hpp"

namespace atrium::mpi {

// A value and where it was found: MPI_MAXLOC and MPI_MINLOC.
template <class Value, class Place = int>
struct Located {
  Value value;
  Place place;
};

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;
template <class T>
inline constexpr bool is_real = std::is_floating_point_v<T>;

// Integers wrap around.
template <class T>
using Wrapping =
    std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;

inline constexpr auto add = []<class T>(T left, T right) {
  return static_cast<T>(static_cast<Wrapping<T>>(left) + static_cast<Wrapping<T>>(right));
};
inline constexpr auto multiply = []<class T>(T left, T right) {
  if constexpr (std::is_integral_v<
                    T>)  // through the widest: two short ones become an int, which may overflow
    return static_cast<T>(static_cast<unsigned long long>(left) * static_cast<unsigned long long>(right));
  else
    return left * right;
};
inline constexpr auto greatest = [](auto left, auto right) { return left > right ? left : right; };
inline constexpr auto least = [](auto left, auto right) { return left < right ? left : right; };
inline constexpr auto logical_and = [](auto left, auto right) { return left && right; };
inline constexpr auto logical_or = [](auto left, auto right) { return left || right; };
inline constexpr auto logical_xor = [](auto left, auto right) { return !left != !right; };
inline constexpr auto bit_and = [](auto left, auto right) { return left & right; };
inline constexpr auto bit_or = [](auto left, auto right) { return left | right; };
inline constexpr auto bit_xor = [](auto left, auto right) { return left ^ right; };
inline constexpr auto lower_place = [](auto left, auto right) {
  return left.place <= right.place ? left : right;
};
inline constexpr auto greatest_with_place = [](auto left, auto right) {
  if (left.value == right.value) return lower_place(left, right);
  return left.value > right.value ? left : right;
};
inline constexpr auto least_with_place = [](auto left, auto right) {
  if (left.value == right.value) return lower_place(left, right);
  return left.value < right.value ? left : right;
};

template <class T, class Function>
void combine(std::byte* __restrict left, const std::byte* __restrict right, std::size_t count) {
  for (std::size_t each = 0; each < count; ++each) {
    T mine, other;
    std::memcpy(&mine, left + each * sizeof(T), sizeof(T));
    std::memcpy(&other, right + each * sizeof(T), sizeof(T));
    mine = static_cast<T>(Function{}(mine, other));
    std::memcpy(left + each * sizeof(T), &mine, sizeof(T));
  }
}

// ---- Values to try an operation on ----

template <class T>
T value_of(std::uint64_t drawn, bool is_logical) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(is_logical ? drawn % 2 : drawn);
  else
    return static_cast<T>(static_cast<double>(static_cast<std::int64_t>(drawn % 2001) - 1000) / 7);
}

template <class T>
inline constexpr bool is_located = false;
template <class Value, class Place>
inline constexpr bool is_located<Located<Value, Place>> = true;

// Equal ones among them, if they carry a place.
template <class T>
T draw_one(std::uint64_t drawn, bool is_logical) {
  if constexpr (is_located<T>)
    return {static_cast<decltype(T::value)>(drawn % 3), static_cast<decltype(T::place)>(drawn / 3 % 100)};
  else
    return value_of<T>(drawn, is_logical);
}

template <class T>
void draw(std::byte* to, std::size_t count, std::uint64_t seed, bool is_logical) {
  for (std::size_t each = 0; each < count; ++each) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const T value = draw_one<T>(seed ^ seed >> 29, is_logical);
    std::memcpy(to + each * sizeof(T), &value, sizeof(T));
  }
}

// As values: between and behind them are bytes that mean nothing.
template <class T>
bool are_equal(const std::byte* left, const std::byte* right, std::size_t count) {
  for (std::size_t each = 0; each < count; ++each) {
    T mine, other;
    std::memcpy(&mine, left + each * sizeof(T), sizeof(T));
    std::memcpy(&other, right + each * sizeof(T), sizeof(T));
    if constexpr (is_located<T>) {
      if (mine.value != other.value || mine.place != other.place) return false;
    } else if (mine != other) {
      return false;
    }
  }
  return true;
}

// An operation, and what is needed to try it.
struct Candidate {
  ReduceOperation operation;
  bool is_logical = false;
  void (*draw)(std::byte* to, std::size_t count, std::uint64_t seed, bool is_logical) = nullptr;
  bool (*are_equal)(const std::byte* left, const std::byte* right, std::size_t count) = nullptr;

  explicit operator bool() const { return static_cast<bool>(operation); }
};

template <class Function, class... Others>
inline constexpr bool is_any_of = (std::is_same_v<Function, std::remove_const_t<Others>> || ...);

template <class T, class Function>
Candidate candidate(Function) {
  constexpr bool sums = is_any_of<Function, decltype(add), decltype(multiply)>;
  constexpr bool is_logical =
      is_any_of<Function, decltype(logical_and), decltype(logical_or), decltype(logical_xor)>;
  return {{combine<T, Function>, sizeof(T), sums && (is_real<T> || is_complex<T>), 0},
          is_logical,
          draw<T>,
          are_equal<T>};
}

}  // namespace atrium::mpi
