// Static variables of functions of C++: who makes one precedes who finds it made.
// SPDX-License-Identifier: BSD-3-Clause
//
// Who comes later reads the first byte of the guard and makes no call. This is an atomic load: if the guard lies in symmetric
// memory, it acquires what was released with a word.
#include <cxxabi.h>

#include "race/model/access.hpp"
#include "race/model/site.hpp"
#include "race/model/word.hpp"
#include "race/threads/next.hpp"
#include "race/threads/sync.hpp"

using namespace atrium::race;

namespace {

using Guard = __cxxabiv1::__guard;
using Acquire = int(Guard*);
using End = void(Guard*);

void set_as_word(const ShadowAddress& shadow, End* set, Guard* guard, void* caller) {
  const Origin origin = origin_of({Routine::atomic, caller}, 1);
  Word word(shadow);
  set(guard);
  word.release(here(), Word::Release::replace, origin, nullptr, -1, nullptr);
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

RACE_AS(atrium_race_guard_acquire, "__cxa_guard_acquire@CXXABI_1.3")
int atrium_race_guard_acquire(Guard* guard) {
  static std::atomic<Acquire*> known{nullptr};
  const int is_to_be_made =
      next_of_cxx<Acquire>(known, "__cxa_guard_acquire", abi::__cxa_guard_acquire)(guard);
  acquired(guard);
  return is_to_be_made;
}
RACE_AS(atrium_race_guard_release, "__cxa_guard_release@CXXABI_1.3")
void atrium_race_guard_release(Guard* guard) {
  static std::atomic<End*> known{nullptr};
  End* const set = next_of_cxx<End>(known, "__cxa_guard_release", abi::__cxa_guard_release);
  released(guard);
  const ShadowAddress shadow =
      orders_threads() ? shadow_of(reinterpret_cast<uintptr_t>(guard)) : ShadowAddress{};
  shadow ? set_as_word(shadow, set, guard, __builtin_return_address(0)) : set(guard);
}
// The initialisation has thrown: the next one writes to the same memory.
RACE_AS(atrium_race_guard_abort, "__cxa_guard_abort@CXXABI_1.3")
void atrium_race_guard_abort(Guard* guard) {
  static std::atomic<End*> known{nullptr};
  released(guard);
  next_of_cxx<End>(known, "__cxa_guard_abort", abi::__cxa_guard_abort)(guard);
}

}  // extern "C"
#pragma GCC visibility pop
