// Locks of the classic Fortran interface, for fortran/lock.c. They are routines of the library, so that tools and reports see
// them. Reports use the names that Fortran has for them (check/caller.cpp, interpose/narrow_locks.cpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "ops/lock.hpp"

namespace {

// No jump into what waits: back traces would not have the routine, and reports not its name.
[[gnu::always_inline]] inline void stay() { __asm__ volatile(""); }

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

void atrium_narrow_set_lock(uint32_t* lock) {
  atrium::set_lock(lock);
  stay();
}
void atrium_narrow_clear_lock(uint32_t* lock) {
  atrium::clear_lock(lock);
  stay();
}
int atrium_narrow_test_lock(uint32_t* lock) { return atrium::test_lock(lock); }

}  // extern "C"
#pragma GCC visibility pop
