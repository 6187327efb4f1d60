// Atomic operations, signals, waits, fences and locks: what orders PEs without a meeting of all.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "race/model/job.hpp"
#include "race/model/transfer.hpp"

namespace atrium::race {

// Holds the record of a word while an atomic operation changes it.
enum class Atomic { fetch, set, change, swap, exchange };
class AtomicUse {
 public:
  AtomicUse(const Site& site, shmem_ctx_t ctx, const void* word, TypeClass type, int pe, Atomic how,
            const void* fetch);
  ~AtomicUse();
  AtomicUse(const AtomicUse&) = delete;
  AtomicUse& operator=(const AtomicUse&) = delete;

 private:
  alignas(16) unsigned char held_[64];
  bool is_held_;
};

// A put of one element, which programs use to set flags; a put with a signal.
class FlagPut {
 public:
  FlagPut(const Transfer& put);
  ~FlagPut();
  FlagPut(const FlagPut&) = delete;
  FlagPut& operator=(const FlagPut&) = delete;

 private:
  alignas(16) unsigned char held_[64];
  bool is_held_;
};
class SignalPut {
 public:
  SignalPut(const Transfer& put, bool nonblocking, const void* signal, int how);
  ~SignalPut();
  SignalPut(const SignalPut&) = delete;
  SignalPut& operator=(const SignalPut&) = delete;

 private:
  alignas(16) unsigned char held_[64];
  bool is_held_;
};

void note_seen(const Site& site, const void* word, size_t bytes);
void note_fence(const Site& site, shmem_ctx_t ctx);
void note_quiet(const Site& site, shmem_ctx_t ctx);
void note_pe_quiet(const Site& site, shmem_ctx_t ctx, const int* pes, size_t count);
void note_lock(const Site& site, const void* lock);
void note_unlock(const Site& site, const void* lock);

#define RACE_ATOMIC(name, how)                                                               \
  template <class Run>                                                                       \
  auto name(Site site, shmem_ctx_t ctx, const void* word, TypeClass type, int pe, Run run) { \
    const AtomicUse use(site, ctx, word, type, pe, how, nullptr);                            \
    return run();                                                                            \
  }
RACE_ATOMIC(atomic_fetch, Atomic::fetch)
RACE_ATOMIC(atomic_set, Atomic::set)
RACE_ATOMIC(atomic_change, Atomic::change)
RACE_ATOMIC(atomic_swap, Atomic::swap)
RACE_ATOMIC(atomic_exchange, Atomic::exchange)
#undef RACE_ATOMIC

#define RACE_ATOMIC_NBI(name, how)                                                                        \
  template <class Run>                                                                                    \
  void name(Site site, shmem_ctx_t ctx, void* fetch, const void* word, TypeClass type, int pe, Run run) { \
    const AtomicUse use(site, ctx, word, type, pe, how, fetch);                                           \
    run();                                                                                                \
  }
RACE_ATOMIC_NBI(atomic_fetch_nbi, Atomic::fetch)
RACE_ATOMIC_NBI(atomic_swap_nbi, Atomic::swap)
RACE_ATOMIC_NBI(atomic_exchange_nbi, Atomic::exchange)
#undef RACE_ATOMIC_NBI

template <class Run>
void put_signal(Site site, shmem_ctx_t ctx, void* dest, const void* source, size_t count, size_t unit,
                uint64_t* signal, int how, int pe, Run run) {
  const SignalPut use({site, ctx, dest, source, count * unit, pe}, false, signal, how);
  run();
}

template <class Run>
void put_signal_nbi(Site site, shmem_ctx_t ctx, void* dest, const void* source, size_t count, size_t unit,
                    uint64_t* signal, int how, int pe, Run run) {
  const SignalPut use({site, ctx, dest, source, count * unit, pe}, true, signal, how);
  run();
}

template <class Run>
uint64_t signal_fetch(Site site, const uint64_t* word, Run run) {
  const uint64_t value = run();
  if (working) note_seen(site, word, sizeof *word);
  return value;
}

template <class Run>
auto wait_until(Site site, const void* word, size_t unit, Run run) {
  if constexpr (std::is_void_v<decltype(run())>) {
    run();
    if (working) note_seen(site, word, unit);
  } else {
    const auto value = run();
    if (working) note_seen(site, word, unit);
    return value;
  }
}

template <class Run>
int test(Site site, const void* word, size_t unit, Run run) {
  const int met = run();
  if (met && working) note_seen(site, word, unit);
  return met;
}

inline void note_all_seen(Site site, const void* words, size_t count, const int* status, size_t unit) {
  for (size_t i = 0; working && i < count; ++i)
    if (!status || status[i] == 0) note_seen(site, static_cast<const char*>(words) + i * unit, unit);
}

template <class Run>
void wait_until_all(Site site, const void* words, size_t count, const int* status, size_t unit, Run run) {
  run();
  note_all_seen(site, words, count, status, unit);
}

template <class Run>
int test_all(Site site, const void* words, size_t count, const int* status, size_t unit, Run run) {
  const int met = run();
  if (met) note_all_seen(site, words, count, status, unit);
  return met;
}

// Waits and tests for any of some words answer an index, or SIZE_MAX.
template <class Run>
size_t wait_until_any(Site site, const void* words, size_t count, const int*, size_t unit, Run run) {
  const size_t index = run();
  if (index < count && working) note_seen(site, static_cast<const char*>(words) + index * unit, unit);
  return index;
}

template <class Run>
size_t wait_until_some(Site site, const void* words, size_t, const size_t* indices, size_t unit, Run run) {
  const size_t met = run();
  for (size_t i = 0; working && i < met; ++i)
    note_seen(site, static_cast<const char*>(words) + indices[i] * unit, unit);
  return met;
}

template <class Run>
size_t test_any(Site site, const void* words, size_t count, const int* status, size_t unit, Run run) {
  return wait_until_any(site, words, count, status, unit, run);
}
template <class Run>
size_t test_some(Site site, const void* words, size_t count, const size_t* indices, size_t unit, Run run) {
  return wait_until_some(site, words, count, indices, unit, run);
}

template <class Run>
void fence(Site site, shmem_ctx_t ctx, Run run) {
  run();
  if (working) note_fence(site, ctx);
}

template <class Run>
void quiet(Site site, shmem_ctx_t ctx, Run run) {
  run();
  if (working) note_quiet(site, ctx);
}

template <class Run>
void pe_quiet(Site site, shmem_ctx_t ctx, const int* pes, size_t count, Run run) {
  run();
  if (working) note_pe_quiet(site, ctx, pes, count);
}

template <class Run>
void set_lock(Site site, long* lock, Run run) {
  run();
  if (working) note_lock(site, lock);
}

template <class Run>
int test_lock(Site site, long* lock, Run run) {
  const int taken_by_others = run();
  if (!taken_by_others && working) note_lock(site, lock);
  return taken_by_others;
}

template <class Run>
void clear_lock(Site site, long* lock, Run run) {
  if (working) note_unlock(site, lock);
  run();
}

}  // namespace atrium::race
