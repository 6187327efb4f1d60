// Signals: a word that says that data has come (specification section 9.8).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "ops/bits.hpp"
#include "ops/target.hpp"

namespace atrium {

template <Completion how>
void put_signal_bytes(Context& ctx, void* dest, const void* source, size_t bytes, size_t alignment,
                      uint64_t* sig_addr, uint64_t signal, int sig_op, int pe);

// The signal is delivered also with 0 elements.
template <class T>
void put_signal(Context& ctx, T* dest, const T* source, size_t nelems, uint64_t* sig_addr, uint64_t signal,
                int sig_op, int pe) {
  put_signal_bytes<Completion::blocking>(ctx, dest, source, bytes_of(nelems, sizeof(T)), alignof(T), sig_addr,
                                         signal, sig_op, pe);
}
template <class T>
void put_signal_nbi(Context& ctx, T* dest, const T* source, size_t nelems, uint64_t* sig_addr,
                    uint64_t signal, int sig_op, int pe) {
  put_signal_bytes<Completion::nonblocking>(ctx, dest, source, bytes_of(nelems, sizeof(T)), alignof(T),
                                            sig_addr, signal, sig_op, pe);
}

void signal_set(Context& ctx, uint64_t* sig_addr, uint64_t signal, int pe);
void signal_add(Context& ctx, uint64_t* sig_addr, uint64_t signal, int pe);
uint64_t signal_fetch(const uint64_t* sig_addr);  // of my own copy
// Returns the value that ended the wait.
uint64_t signal_wait_until(uint64_t* sig_addr, int cmp, uint64_t cmp_value);

}  // namespace atrium
