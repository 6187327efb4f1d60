// Atomic memory operations (specification section 9.7).
// SPDX-License-Identifier: BSD-3-Clause
//
// Native atomics on the word itself: they work together with <stdatomic.h> on an address from shmem_ptr, and
// those of equal-width types with each other. Orders are those of the inline forms (include/shmem/fast.h):
// what fetches acquires and releases, what does not fetch releases, set is a release store, fetch an acquire
// load. So an AMO publishes what its PE stored before (a flag needs no fence), and `SYNC value` pairs it with
// the waits in ops/wait.hpp.
#pragma once

#include "check/check.hpp"
#include "ops/here.hpp"
#include "wait/park.hpp"
#include "wait/wait.hpp"

namespace atrium {

namespace detail {

// Where an operation takes place, and the announcement afterwards.
template <class T>
struct Target {
  ptrdiff_t delta;
  const T* mine;

  Target(Context& ctx, const T* symmetric, int pe) : delta(delta_of(ctx, pe)), mine(symmetric) {
    if (checking()) require_symmetric("the atomic variable", symmetric, sizeof(T), alignof(T));
  }
  T* word() const { return there(const_cast<T*>(mine), delta); }
  void announce() const { notify(delta, mine, sizeof(T)); }
};

}  // namespace detail

template <class T>
T atomic_fetch(Context& ctx, const T* source, int pe) {
  T value;
  looked();
  __atomic_load(detail::Target<T>(ctx, source, pe).word(), &value, __ATOMIC_ACQUIRE);  // SYNC value
  return value;
}

template <class T>
void atomic_set(Context& ctx, T* dest, T value, int pe) {
  const detail::Target<T> target(ctx, dest, pe);
  __atomic_store(target.word(), &value, __ATOMIC_RELEASE);  // SYNC value
  target.announce();
}

template <class T>
T atomic_swap(Context& ctx, T* dest, T value, int pe) {
  const detail::Target<T> target(ctx, dest, pe);
  T old;
  __atomic_exchange(target.word(), &value, &old, __ATOMIC_ACQ_REL);  // SYNC value
  target.announce();
  return old;
}

template <class T>
T atomic_compare_swap(Context& ctx, T* dest, T cond, T value, int pe) {
  const detail::Target<T> target(ctx, dest, pe);
  // SYNC value
  const bool swapped =
      __atomic_compare_exchange_n(target.word(), &cond, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  if (swapped)
    target.announce();
  else
    looked();
  return cond;
}

template <class T>
T atomic_fetch_add(Context& ctx, T* dest, T value, int pe) {
  const detail::Target<T> target(ctx, dest, pe);
  const T old = __atomic_fetch_add(target.word(), value, __ATOMIC_ACQ_REL);  // SYNC value
  target.announce();
  return old;
}

template <class T>
void atomic_add(Context& ctx, T* dest, T value, int pe) {
  const detail::Target<T> target(ctx, dest, pe);
  __atomic_fetch_add(target.word(), value, __ATOMIC_RELEASE);  // SYNC value
  target.announce();
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
T atomic_fetch_and(Context& ctx, T* dest, T value, int pe) {
  const detail::Target<T> target(ctx, dest, pe);
  const T old = __atomic_fetch_and(target.word(), value, __ATOMIC_ACQ_REL);  // SYNC value
  target.announce();
  return old;
}

template <class T>
void atomic_and(Context& ctx, T* dest, T value, int pe) {
  const detail::Target<T> target(ctx, dest, pe);
  __atomic_fetch_and(target.word(), value, __ATOMIC_RELEASE);  // SYNC value
  target.announce();
}

template <class T>
T atomic_fetch_or(Context& ctx, T* dest, T value, int pe) {
  const detail::Target<T> target(ctx, dest, pe);
  const T old = __atomic_fetch_or(target.word(), value, __ATOMIC_ACQ_REL);  // SYNC value
  target.announce();
  return old;
}

template <class T>
void atomic_or(Context& ctx, T* dest, T value, int pe) {
  const detail::Target<T> target(ctx, dest, pe);
  __atomic_fetch_or(target.word(), value, __ATOMIC_RELEASE);  // SYNC value
  target.announce();
}

template <class T>
T atomic_fetch_xor(Context& ctx, T* dest, T value, int pe) {
  const detail::Target<T> target(ctx, dest, pe);
  const T old = __atomic_fetch_xor(target.word(), value, __ATOMIC_ACQ_REL);  // SYNC value
  target.announce();
  return old;
}

template <class T>
void atomic_xor(Context& ctx, T* dest, T value, int pe) {
  const detail::Target<T> target(ctx, dest, pe);
  __atomic_fetch_xor(target.word(), value, __ATOMIC_RELEASE);  // SYNC value
  target.announce();
}

// The nonblocking forms: the old value may be there early.
template <class T>
void atomic_fetch_nbi(Context& ctx, T* fetch, const T* source, int pe) {
  *fetch = atomic_fetch(ctx, source, pe);
}
template <class T>
void atomic_swap_nbi(Context& ctx, T* fetch, T* dest, T value, int pe) {
  *fetch = atomic_swap(ctx, dest, value, pe);
}
template <class T>
void atomic_compare_swap_nbi(Context& ctx, T* fetch, T* dest, T cond, T value, int pe) {
  *fetch = atomic_compare_swap(ctx, dest, cond, value, pe);
}
template <class T>
void atomic_fetch_inc_nbi(Context& ctx, T* fetch, T* dest, int pe) {
  *fetch = atomic_fetch_inc(ctx, dest, pe);
}
template <class T>
void atomic_fetch_add_nbi(Context& ctx, T* fetch, T* dest, T value, int pe) {
  *fetch = atomic_fetch_add(ctx, dest, value, pe);
}
template <class T>
void atomic_fetch_and_nbi(Context& ctx, T* fetch, T* dest, T value, int pe) {
  *fetch = atomic_fetch_and(ctx, dest, value, pe);
}
template <class T>
void atomic_fetch_or_nbi(Context& ctx, T* fetch, T* dest, T value, int pe) {
  *fetch = atomic_fetch_or(ctx, dest, value, pe);
}
template <class T>
void atomic_fetch_xor_nbi(Context& ctx, T* fetch, T* dest, T value, int pe) {
  *fetch = atomic_fetch_xor(ctx, dest, value, pe);
}

}  // namespace atrium
