// Atomic memory operations (specification section 9.7).
// SPDX-License-Identifier: BSD-3-Clause
//
// Native atomics on the word itself: they work together with <stdatomic.h> on an address from shmem_ptr, and
// those of equal-width types with each other. Orders are those of the inline forms (include/shmem/fast.h):
// what fetches acquires and releases, what does not fetch releases, set is a release store, fetch an acquire
// load. So an AMO publishes what its PE stored before (a flag needs no fence), and what it publishes is acquired
// by an AMO that fetches (`SYNC amo`) and by the waits of ops/compare.hpp (`SYNC wait`).
#pragma once

#include <cstring>

#include "ops/target.hpp"
#include "wait/wait.hpp"

namespace atrium {

namespace detail {

// The bits of a value in a word that is as wide as the widest, and back.
template <class T>
uint64_t bits_of(T value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}
template <class T>
T value_of(uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <class T>
[[gnu::always_inline]] inline Target word_of(Context& ctx, const T* symmetric, int pe) {
  return Target(ctx, symmetric, pe, {"the atomic variable", sizeof(T), alignof(T)});
}

// Changes a word that is here and returns what it was. Who does not ask for that needs no acquire.
template <WordOp op, int order, class T>
T change_here(T* word, T operand, T comparand) {
  T old = comparand;
  if constexpr (op == WordOp::fetch) {
    __atomic_load(word, &old, __ATOMIC_ACQUIRE);  // SYNC amo
  } else if constexpr (op == WordOp::set) {
    __atomic_store(word, &operand, __ATOMIC_RELEASE);  // SYNC amo wait
  } else if constexpr (op == WordOp::swap) {
    __atomic_exchange(word, &operand, &old, order);
  } else if constexpr (op == WordOp::compare_swap) {
    __atomic_compare_exchange_n(word, &old, operand, false, order, __ATOMIC_ACQUIRE);
  } else if constexpr (op == WordOp::add) {
    old = __atomic_fetch_add(word, operand, order);
  } else if constexpr (op == WordOp::bit_and) {
    old = __atomic_fetch_and(word, operand, order);
  } else if constexpr (op == WordOp::bit_or) {
    old = __atomic_fetch_or(word, operand, order);
  } else {
    static_assert(op == WordOp::bit_xor);
    old = __atomic_fetch_xor(word, operand, order);
  }
  return old;
}

template <WordOp op, class T>
WordChange change_of(T operand, T comparand) {
  return {op, sizeof(T), bits_of(operand), bits_of(comparand)};
}

// Changes the target's word and returns what it was.
template <WordOp op, class T>
T fetch_and_change_silently(const Target& target, T operand, T comparand = {}) {
  if (!target.is_here())
    return value_of<T>(target.transport().change_word(target.context(), target.address(),
                                                      change_of<op>(operand, comparand)));
  // SYNC amo
  return change_here<op, __ATOMIC_ACQ_REL>(static_cast<T*>(target.memory()), operand, comparand);
}

// The same, and announces it if it may have changed. (A transport does so where it is executed.)
template <WordOp op, class T>
T fetch_and_change(const Target& target, T operand, T comparand = {}) {
  const T old = fetch_and_change_silently<op>(target, operand, comparand);
  if (op == WordOp::fetch || (op == WordOp::compare_swap && bits_of(old) != bits_of(comparand)))
    looked();
  else if (target.is_here())
    target.announce(sizeof(T));
  return old;
}

// For who does not ask what it was.
template <WordOp op, class T>
void change(const Target& target, T operand) {
  if (!target.is_here())
    return target.transport().change_word_later(target.context(), target.address(),
                                                change_of<op>(operand, T{}), nullptr);
  change_here<op, __ATOMIC_RELEASE>(static_cast<T*>(target.memory()), operand, T{});  // SYNC amo wait
  target.announce(sizeof(T));
}

// The nonblocking form: on the node the old value is there early.
template <WordOp op, class T>
void fetch_later(const Target& target, T* fetch, T operand, T comparand = {}) {
  if (checking()) require_memory("fetch", fetch, sizeof(T));
  if (target.is_here())
    *fetch = fetch_and_change<op>(target, operand, comparand);
  else
    target.transport().change_word_later(target.context(), target.address(),
                                         change_of<op>(operand, comparand), fetch);
}

}  // namespace detail

template <class T>
T atomic_fetch(Context& ctx, const T* source, int pe) {
  return detail::fetch_and_change<WordOp::fetch>(detail::word_of(ctx, source, pe), T{});
}

template <class T>
void atomic_set(Context& ctx, T* dest, T value, int pe) {
  detail::change<WordOp::set>(detail::word_of(ctx, dest, pe), value);
}

template <class T>
T atomic_swap(Context& ctx, T* dest, T value, int pe) {
  return detail::fetch_and_change<WordOp::swap>(detail::word_of(ctx, dest, pe), value);
}

template <class T>
T atomic_compare_swap(Context& ctx, T* dest, T cond, T value, int pe) {
  return detail::fetch_and_change<WordOp::compare_swap>(detail::word_of(ctx, dest, pe), value, cond);
}

template <class T>
T atomic_fetch_add(Context& ctx, T* dest, T value, int pe) {
  return detail::fetch_and_change<WordOp::add>(detail::word_of(ctx, dest, pe), value);
}

template <class T>
void atomic_add(Context& ctx, T* dest, T value, int pe) {
  detail::change<WordOp::add>(detail::word_of(ctx, dest, pe), value);
}

template <class T>
T atomic_fetch_and(Context& ctx, T* dest, T value, int pe) {
  return detail::fetch_and_change<WordOp::bit_and>(detail::word_of(ctx, dest, pe), value);
}

template <class T>
void atomic_and(Context& ctx, T* dest, T value, int pe) {
  detail::change<WordOp::bit_and>(detail::word_of(ctx, dest, pe), value);
}

template <class T>
T atomic_fetch_or(Context& ctx, T* dest, T value, int pe) {
  return detail::fetch_and_change<WordOp::bit_or>(detail::word_of(ctx, dest, pe), value);
}

template <class T>
void atomic_or(Context& ctx, T* dest, T value, int pe) {
  detail::change<WordOp::bit_or>(detail::word_of(ctx, dest, pe), value);
}

template <class T>
T atomic_fetch_xor(Context& ctx, T* dest, T value, int pe) {
  return detail::fetch_and_change<WordOp::bit_xor>(detail::word_of(ctx, dest, pe), value);
}

template <class T>
void atomic_xor(Context& ctx, T* dest, T value, int pe) {
  detail::change<WordOp::bit_xor>(detail::word_of(ctx, dest, pe), value);
}

template <class T>
T atomic_fetch_inc(Context& ctx, T* dest, int pe) {
  return atomic_fetch_add(ctx, dest, T{1}, pe);
}

template <class T>
void atomic_inc(Context& ctx, T* dest, int pe) {
  atomic_add(ctx, dest, T{1}, pe);
}

template <class T>
void atomic_fetch_nbi(Context& ctx, T* fetch, const T* source, int pe) {
  detail::fetch_later<WordOp::fetch>(detail::word_of(ctx, source, pe), fetch, T{});
}

template <class T>
void atomic_swap_nbi(Context& ctx, T* fetch, T* dest, T value, int pe) {
  detail::fetch_later<WordOp::swap>(detail::word_of(ctx, dest, pe), fetch, value);
}

template <class T>
void atomic_compare_swap_nbi(Context& ctx, T* fetch, T* dest, T cond, T value, int pe) {
  detail::fetch_later<WordOp::compare_swap>(detail::word_of(ctx, dest, pe), fetch, value, cond);
}

template <class T>
void atomic_fetch_add_nbi(Context& ctx, T* fetch, T* dest, T value, int pe) {
  detail::fetch_later<WordOp::add>(detail::word_of(ctx, dest, pe), fetch, value);
}

template <class T>
void atomic_fetch_and_nbi(Context& ctx, T* fetch, T* dest, T value, int pe) {
  detail::fetch_later<WordOp::bit_and>(detail::word_of(ctx, dest, pe), fetch, value);
}

template <class T>
void atomic_fetch_or_nbi(Context& ctx, T* fetch, T* dest, T value, int pe) {
  detail::fetch_later<WordOp::bit_or>(detail::word_of(ctx, dest, pe), fetch, value);
}

template <class T>
void atomic_fetch_xor_nbi(Context& ctx, T* fetch, T* dest, T value, int pe) {
  detail::fetch_later<WordOp::bit_xor>(detail::word_of(ctx, dest, pe), fetch, value);
}

template <class T>
void atomic_fetch_inc_nbi(Context& ctx, T* fetch, T* dest, int pe) {
  atomic_fetch_add_nbi(ctx, fetch, dest, T{1}, pe);
}

}  // namespace atrium
