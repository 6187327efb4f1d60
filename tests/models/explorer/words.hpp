// The compiler's __atomic_ functions on plain words, as steps of the explorer.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

#include "explorer/execution.hpp"

namespace model {

// The atomic object that the word at this address is, in this execution.
Object& object_at(const volatile void* address, uint64_t first);

template <class T>
struct Word {
  T* word;
  std::source_location where;

  Object& object() const { return object_at(word, static_cast<uint64_t>(*word)); }
  static Order order(int order) { return static_cast<Order>(order); }

  T load(int order_) const { return static_cast<T>(object().load(order(order_), where)); }
  void store(T value, int order_) const {
    object().store(static_cast<uint64_t>(value), order(order_), where);
  }
  template <class Change>
  T update(Change change, int order_) const {
    return static_cast<T>(
        object().update([&](uint64_t old) { return static_cast<uint64_t>(change(static_cast<T>(old))); },
                        order(order_), where));
  }
  bool compare_exchange(T* expected, T desired, int success, int failure) const {
    const T old = static_cast<T>(object().compare_exchange(static_cast<uint64_t>(*expected),
                                                           static_cast<uint64_t>(desired), order(success),
                                                           order(failure), where));
    return old == *expected || (*expected = old, false);
  }
};

template <class T>
Word<std::remove_const_t<T>> word(T* address,
                                  const std::source_location& where = std::source_location::current()) {
  return {const_cast<std::remove_const_t<T>*>(address), where};
}

}  // namespace model

#define __atomic_load_n(address, order) ::model::word(address).load(order)
#define __atomic_load(address, value, order) (void)(*(value) = ::model::word(address).load(order))
#define __atomic_store_n(address, value, order) ::model::word(address).store(value, order)
#define __atomic_store(address, value, order) ::model::word(address).store(*(value), order)
#define __atomic_exchange(address, value, old, order) \
  (void)(*(old) = ::model::word(address).update([&](auto) { return *(value); }, order))
#define __atomic_compare_exchange_n(address, expected, desired, weak, success, failure) \
  ::model::word(address).compare_exchange(expected, desired, success, failure)
#define __atomic_fetch_add(address, value, order) \
  ::model::word(address).update([&](auto old) { return old + (value); }, order)
#define __atomic_fetch_sub(address, value, order) \
  ::model::word(address).update([&](auto old) { return old - (value); }, order)
#define __atomic_fetch_and(address, value, order) \
  ::model::word(address).update([&](auto old) { return old & (value); }, order)
#define __atomic_fetch_or(address, value, order) \
  ::model::word(address).update([&](auto old) { return old | (value); }, order)
#define __atomic_fetch_xor(address, value, order) \
  ::model::word(address).update([&](auto old) { return old ^ (value); }, order)
