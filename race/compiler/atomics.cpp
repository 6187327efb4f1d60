// Atomic operations of instrumented code: executed here, each with the strongest memory order.
// SPDX-License-Identifier: BSD-3-Clause
//
// They release and acquire as their orders say, on symmetric memory like those of OpenSHMEM, on private memory between
// threads. A relaxed one does neither; a fence before or behind it does.
#include <optional>

#include "race/compiler/access.hpp"
#include "race/model/access.hpp"
#include "race/model/site.hpp"
#include "race/model/word.hpp"
#include "race/threads/sync.hpp"

namespace atrium::race {
namespace {

// Above the lowest bits compilers may say more (that a lock is elided).
constexpr int order_bits = 0xffff;
bool acquires(int order) {
  order &= order_bits;
  return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
}
bool releases(int order) {
  order &= order_bits;
  return order == __ATOMIC_RELEASE || order >= __ATOMIC_ACQ_REL;
}

enum class How { load, store, change };

void acquire(Word& word, Strand& strand, int order, Origin origin) {
  if (acquires(order)) return word.acquire(strand, origin);
  if (const VectorClock* const released = word.released()) take_relaxed(strand, *released);
}

void release(Word& word, Strand& strand, How how, int order, Origin origin) {
  const auto release = how == How::store ? Word::Release::replace : Word::Release::merge;
  if (releases(order)) return word.release(strand, release, origin, nullptr, -1, nullptr);
  word.release_relaxed(release, origin, left_at_fence(strand));
}

template <class Run>
auto on_word(const ShadowAddress& shadow, size_t bytes, How how, int order, void* caller, Run run) {
  Strand& strand = here();
  const Origin origin = origin_of({Routine::atomic, caller}, bytes);
  const auto kind =
      static_cast<uint8_t>(atomic_kind(class_of_size(bytes), 0) | (how == How::load ? is_read : is_write));
  if (how != How::load) settle_polled(strand);
  Word word(shadow);
  const auto result = run();
  if (how != How::store) acquire(word, strand, order, origin);
  if (working) touch(shadow, bytes, access_now(strand, kind, origin));
  if (how != How::load) release(word, strand, how, order, origin);
  return result;
}

template <class Run>
auto on_private(const volatile void* at, size_t bytes, How how, int order, void* caller, Run run) {
  if (!threads_exist) return run();
  Strand& strand = here();
  Knowledge& knowledge = knowledge_at(at);
  const auto kind =
      static_cast<uint8_t>(atomic_kind(class_of_size(bytes), 0) | (how == How::load ? is_read : is_write));
  if (working)
    touch_private(reinterpret_cast<uintptr_t>(at), bytes,
                  access_now(strand, kind, origin_of({Routine::atomic, caller}, bytes)));
  if (how != How::load) releases(order) ? leave(strand, knowledge) : leave_relaxed(strand, knowledge);
  const auto result = run();
  if (how != How::store) acquires(order) ? take(strand, knowledge) : take_relaxed(strand, knowledge);
  return result;
}

template <class Run>
auto atomically(const volatile void* at, size_t bytes, How how, int order, void* caller, Run run) {
  if (!following || Inside::now()) return run();
  if (const ShadowAddress shadow = shadow_of(reinterpret_cast<uintptr_t>(at)))
    return on_word(shadow, bytes, how, order, caller, run);
  return on_private(at, bytes, how, order, caller, run);
}

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
__extension__ using u128 = unsigned __int128;

// Of 16 bytes compilers make calls of libatomic, which a tool cannot ask of every program; a compare and swap they make of one
// instruction. So a load writes what is there: such an object lies in memory that can be written.
u128 wide_swap_if(volatile u128* at, u128 expected, u128 value) {
  return __sync_val_compare_and_swap(at, expected, value);
}
u128 wide_load_n(const volatile u128* at, int) { return wide_swap_if(const_cast<volatile u128*>(at), 0, 0); }
template <class Change>
u128 wide_change(volatile u128* at, Change change) {
  u128 seen = wide_load_n(at, 0);
  for (u128 before; (before = wide_swap_if(at, seen, change(seen))) != seen;) seen = before;
  return seen;
}
u128 wide_exchange_n(volatile u128* at, u128 value, int) {
  return wide_change(at, [=](u128) { return value; });
}
void wide_store_n(volatile u128* at, u128 value, int order) { wide_exchange_n(at, value, order); }
u128 wide_fetch_add(volatile u128* at, u128 value, int) {
  return wide_change(at, [=](u128 old) { return old + value; });
}
u128 wide_fetch_sub(volatile u128* at, u128 value, int order) { return wide_fetch_add(at, -value, order); }
u128 wide_fetch_and(volatile u128* at, u128 value, int) {
  return wide_change(at, [=](u128 old) { return old & value; });
}
u128 wide_fetch_or(volatile u128* at, u128 value, int) {
  return wide_change(at, [=](u128 old) { return old | value; });
}
u128 wide_fetch_xor(volatile u128* at, u128 value, int) {
  return wide_change(at, [=](u128 old) { return old ^ value; });
}
u128 wide_fetch_nand(volatile u128* at, u128 value, int) {
  return wide_change(at, [=](u128 old) { return ~(old & value); });
}
bool wide_compare_exchange_n(volatile u128* at, u128* expected, u128 value, bool, int, int) {
  const u128 before = wide_swap_if(at, *expected, value);
  return before == *expected || (*expected = before, false);
}

}  // namespace
}  // namespace atrium::race

using namespace atrium::race;

#define HERE __builtin_return_address(0)
#define SEQ __ATOMIC_SEQ_CST
#define RACE_CHANGE(bits, name, builtin)                                                                  \
  u##bits __tsan_atomic##bits##_##name(volatile u##bits* at, u##bits value, int order) {                  \
    return atomically(at, sizeof *at, How::change, order, HERE, [&] { return builtin(at, value, SEQ); }); \
  }
#define RACE_ATOMIC_SIZE(bits, by)                                                                          \
  u##bits __tsan_atomic##bits##_load(const volatile u##bits* at, int order) {                               \
    return atomically(at, sizeof *at, How::load, order, HERE, [&] { return by##_load_n(at, SEQ); });        \
  }                                                                                                         \
  void __tsan_atomic##bits##_store(volatile u##bits* at, u##bits value, int order) {                        \
    atomically(at, sizeof *at, How::store, order, HERE, [&] { return by##_store_n(at, value, SEQ), 0; });   \
  }                                                                                                         \
  RACE_CHANGE(bits, exchange, by##_exchange_n)                                                              \
  RACE_CHANGE(bits, fetch_add, by##_fetch_add)                                                              \
  RACE_CHANGE(bits, fetch_sub, by##_fetch_sub)                                                              \
  RACE_CHANGE(bits, fetch_and, by##_fetch_and)                                                              \
  RACE_CHANGE(bits, fetch_or, by##_fetch_or)                                                                \
  RACE_CHANGE(bits, fetch_xor, by##_fetch_xor)                                                              \
  RACE_CHANGE(bits, fetch_nand, by##_fetch_nand)                                                            \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile u##bits* at, u##bits* expected, u##bits value, \
                                                    int order, int) {                                       \
    return atomically(at, sizeof *at, How::change, order, HERE,                                             \
                      [&] { return by##_compare_exchange_n(at, expected, value, 0, SEQ, SEQ); });           \
  }                                                                                                         \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile u##bits* at, u##bits* expected, u##bits value,   \
                                                  int order, int) {                                         \
    return atomically(at, sizeof *at, How::change, order, HERE,                                             \
                      [&] { return by##_compare_exchange_n(at, expected, value, 0, SEQ, SEQ); });           \
  }                                                                                                         \
  u##bits __tsan_atomic##bits##_compare_exchange_val(volatile u##bits* at, u##bits expected, u##bits value, \
                                                     int order, int) {                                      \
    return atomically(at, sizeof *at, How::change, order, HERE, [&] {                                       \
      by##_compare_exchange_n(at, &expected, value, 0, SEQ, SEQ);                                           \
      return expected;                                                                                      \
    });                                                                                                     \
  }

#pragma GCC visibility push(default)
extern "C" {

RACE_ATOMIC_SIZE(8, __atomic)
RACE_ATOMIC_SIZE(16, __atomic)
RACE_ATOMIC_SIZE(32, __atomic)
RACE_ATOMIC_SIZE(64, __atomic)
RACE_ATOMIC_SIZE(128, wide)
void __tsan_atomic_thread_fence(int order) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (following && !Inside::now()) order_by_fence(here(), acquires(order), releases(order));
}
void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

}  // extern "C"
#pragma GCC visibility pop
