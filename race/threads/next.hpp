// Finds another library's own routine, in front of which the race checker has put a wrapper.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <dlfcn.h>

#include <type_traits>

namespace atrium::race {

// The routine behind ours, in the version that programs get today where there are several: of those, dlsym takes the oldest
// before glibc 2.36 (its bug 14932). nullptr: no library has it.
inline void* next_routine(const char* name, const char* version = nullptr) {
  void* const found = version ? dlvsym(RTLD_NEXT, name, version) : nullptr;
  return found ? found : dlsym(RTLD_NEXT, name);
}

}  // namespace atrium::race

#define NEXT_OF(version, type, name) \
  static const auto next =           \
      reinterpret_cast<std::add_pointer_t<type>>(atrium::race::next_routine(#name, version))
#define NEXT(type, name) NEXT_OF(nullptr, type, name)
