// Shows tools the locks of Atrium's classic Fortran interface under the names that the program has written.
// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>

#include <cstdint>

#include "interpose/tool.hpp"

using namespace atrium::interpose;

#define NARROW_LOCK(returns, routine)                                                          \
  returns atrium_narrow_##routine(uint32_t* lock) {                                            \
    static const auto next =                                                                   \
        reinterpret_cast<returns (*)(uint32_t*)>(dlsym(RTLD_NEXT, "atrium_narrow_" #routine)); \
    const Site site{Routine::shmem_##routine, __builtin_return_address(0)};                    \
    return call_with_tool({.site = site, .family = RoutineFamily::routine, .dest = lock},      \
                          [&] { return next(lock); });                                         \
  }

#pragma GCC visibility push(default)
extern "C" {

NARROW_LOCK(void, set_lock)
NARROW_LOCK(void, clear_lock)
NARROW_LOCK(int, test_lock)

}  // extern "C"
#pragma GCC visibility pop
