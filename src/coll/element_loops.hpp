// The loops over elements that reductions and scans are made of: one per operation and type.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace atrium {

enum class Op { sum, prod, min, max, bit_and, bit_or, bit_xor };

// result[i] = left[i] op right[i] for n elements. `result` may be `left` or `right` itself, never overlap
// them otherwise.
struct ElementLoop {
  size_t element;  // bytes
  void (*combine)(void* result, const void* left, const void* right, size_t n);
};

template <Op op, class T>
inline T combine_two(const T& left, const T& right) {
  if constexpr (op == Op::sum) return static_cast<T>(left + right);
  if constexpr (op == Op::prod) return static_cast<T>(left * right);
  if constexpr (op == Op::min) return right < left ? right : left;
  if constexpr (op == Op::max) return left < right ? right : left;
  if constexpr (op == Op::bit_and) return static_cast<T>(left & right);
  if constexpr (op == Op::bit_or) return static_cast<T>(left | right);
  if constexpr (op == Op::bit_xor) return static_cast<T>(left ^ right);
}

// The compiler cannot know that result[i] meets no other element than left[i] and right[i]; the pragma says
// so.
template <Op op, class T>
void combine_elements(void* result, const void* left, const void* right, size_t n) {
  T* out = static_cast<T*>(result);
  const T* a = static_cast<const T*>(left);
  const T* b = static_cast<const T*>(right);
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
  for (size_t i = 0; i < n; ++i) out[i] = combine_two<op, T>(a[i], b[i]);
}

template <Op op, class T>
inline constexpr ElementLoop element_loop{sizeof(T), &combine_elements<op, T>};

}  // namespace atrium
