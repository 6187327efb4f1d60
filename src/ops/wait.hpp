// Waiting for and testing words of my own symmetric memory (specification section 9.11).
// SPDX-License-Identifier: BSD-3-Clause
//
// Words. A *word* is what an element is compared as: an integer of its size and signedness. All types of the
//        interface become one of six words here, so the bodies (ops/wait.cpp, ops/wait_many.cpp) exist six
//        times and not thirty. A *watch* is a set of elements, without those whose `status` is nonzero, and what each
//        is compared with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "wait/park.hpp"

namespace atrium {

namespace detail {

// may_alias: the same memory is a long to the program and an int64_t to us.
template <class Integer>
using Aliasing __attribute__((may_alias)) = Integer;

template <size_t Bytes, bool Signed>
using Word = std::conditional_t<Bytes == 8, std::conditional_t<Signed, int64_t, uint64_t>,
                                std::conditional_t<Bytes == 4, std::conditional_t<Signed, int32_t, uint32_t>,
                                                   std::conditional_t<Signed, int16_t, uint16_t>>>;

template <class T>
using WordOf = Word<sizeof(T), std::is_signed_v<T>>;

template <class W>
struct WatchedWords {
  const void* elements;
  size_t count;
  const int* status;  // null: no element is left out
  int cmp;            // SHMEM_CMP_*
  const void* values;
  size_t values_step;  // 0: one value for all; 1: one each
};

// Defined for the six words.
template <class W>
W wait_for_value(WaitKind kind, const void* element, int cmp, W value);
template <class W>
bool test_value(const void* element, int cmp, W value);
template <class W>
void wait_all(const WatchedWords<W>& watch);
template <class W>
size_t wait_any(const WatchedWords<W>& watch);
template <class W>
size_t wait_some(const WatchedWords<W>& watch, size_t* indices);
template <class W>
bool test_all(const WatchedWords<W>& watch);
template <class W>
size_t test_any(const WatchedWords<W>& watch);
template <class W>
size_t test_some(const WatchedWords<W>& watch, size_t* indices);

template <class T>
WatchedWords<WordOf<T>> watch(const T* ivars, size_t nelems, const int* status, int cmp, const T& value) {
  return {ivars, nelems, status, cmp, &value, 0};
}
template <class T>
WatchedWords<WordOf<T>> watch_each(const T* ivars, size_t nelems, const int* status, int cmp,
                                   const T* values) {
  return {ivars, nelems, status, cmp, values, 1};
}

}  // namespace detail

template <class T>
void wait_until(T* ivar, int cmp, T value) {
  detail::wait_for_value<detail::WordOf<T>>(WaitKind::value, ivar, cmp,
                                            static_cast<detail::WordOf<T>>(value));
}
template <class T>
void wait_until_all(T* ivars, size_t nelems, const int* status, int cmp, T value) {
  detail::wait_all(detail::watch(ivars, nelems, status, cmp, value));
}
template <class T>
size_t wait_until_any(T* ivars, size_t nelems, const int* status, int cmp, T value) {
  return detail::wait_any(detail::watch(ivars, nelems, status, cmp, value));
}
template <class T>
size_t wait_until_some(T* ivars, size_t nelems, size_t* indices, const int* status, int cmp, T value) {
  return detail::wait_some(detail::watch(ivars, nelems, status, cmp, value), indices);
}
template <class T>
void wait_until_all_vector(T* ivars, size_t nelems, const int* status, int cmp, const T* values) {
  detail::wait_all(detail::watch_each(ivars, nelems, status, cmp, values));
}
template <class T>
size_t wait_until_any_vector(T* ivars, size_t nelems, const int* status, int cmp, const T* values) {
  return detail::wait_any(detail::watch_each(ivars, nelems, status, cmp, values));
}
template <class T>
size_t wait_until_some_vector(T* ivars, size_t nelems, size_t* indices, const int* status, int cmp,
                              const T* values) {
  return detail::wait_some(detail::watch_each(ivars, nelems, status, cmp, values), indices);
}

template <class T>
int test(T* ivar, int cmp, T value) {
  return detail::test_value<detail::WordOf<T>>(ivar, cmp, static_cast<detail::WordOf<T>>(value));
}
template <class T>
int test_all(T* ivars, size_t nelems, const int* status, int cmp, T value) {
  return detail::test_all(detail::watch(ivars, nelems, status, cmp, value));
}
template <class T>
size_t test_any(T* ivars, size_t nelems, const int* status, int cmp, T value) {
  return detail::test_any(detail::watch(ivars, nelems, status, cmp, value));
}
template <class T>
size_t test_some(T* ivars, size_t nelems, size_t* indices, const int* status, int cmp, T value) {
  return detail::test_some(detail::watch(ivars, nelems, status, cmp, value), indices);
}
template <class T>
int test_all_vector(T* ivars, size_t nelems, const int* status, int cmp, const T* values) {
  return detail::test_all(detail::watch_each(ivars, nelems, status, cmp, values));
}
template <class T>
size_t test_any_vector(T* ivars, size_t nelems, const int* status, int cmp, const T* values) {
  return detail::test_any(detail::watch_each(ivars, nelems, status, cmp, values));
}
template <class T>
size_t test_some_vector(T* ivars, size_t nelems, size_t* indices, const int* status, int cmp,
                        const T* values) {
  return detail::test_some(detail::watch_each(ivars, nelems, status, cmp, values), indices);
}

}  // namespace atrium
