// Operations on the memory of PEs that are here: plain copies, native atomics, and waking who sleeps on it.
// SPDX-License-Identifier: BSD-3-Clause
//
// `mine` is my address of the symmetric object, `delta` its PE's, which is here. A put has been issued to memory
// when it returns: fence orders its stores, quiet and the signals' release publish them. A get acquires: nothing
// that is read afterwards is older (AArch64 would otherwise reorder two gets).
#pragma once

#include "arch/fence.hpp"
#include "copy/copy.hpp"
#include "transport/address.hpp"
#include "wait/park.hpp"
#include "wait/wait.hpp"

namespace atrium::here {

[[gnu::always_inline]] inline void put(void* mine, ptrdiff_t delta, const void* source, size_t bytes) {
  copy_to_peer(there(mine, delta), source, bytes);
  notify(delta, mine, bytes);
}

[[gnu::always_inline]] inline void get(void* dest, const void* mine, ptrdiff_t delta, size_t bytes) {
  copy(dest, there(mine, delta), bytes);
  acquire_fence();  // SYNC get
  looked();
}

// Sets the word or adds to it: who sees that sees all that I stored before.
inline void signal(uint64_t* mine, ptrdiff_t delta, uint64_t value, bool adds) {
  uint64_t* target = there(mine, delta);
  if (adds)
    __atomic_fetch_add(target, value, __ATOMIC_RELEASE);  // SYNC wait
  else
    __atomic_store_n(target, value, __ATOMIC_RELEASE);  // SYNC wait
  notify(delta, mine, sizeof *mine);
}

// One element, whole where the processor can: a peer that polls sees the old one or the new one.
template <class T>
void store(T* mine, ptrdiff_t delta, T value) {
  T* target = there(mine, delta);
  if constexpr (sizeof(T) <= sizeof(void*))
    __atomic_store(target, &value, __ATOMIC_RELAXED);
  else
    *target = value;
  notify(delta, mine, sizeof(T));
}

template <class T>
T load(const T* mine, ptrdiff_t delta) {
  const T* target = there(mine, delta);
  looked();
  T value;
  if constexpr (sizeof(T) <= sizeof(void*)) {
    __atomic_load(target, &value, __ATOMIC_ACQUIRE);  // SYNC get
  } else {
    value = *target;
    acquire_fence();  // SYNC get
  }
  return value;
}

}  // namespace atrium::here
