// Finds another library's own routine, in front of which the race checker has put a wrapper; and puts it there for C++.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <dlfcn.h>

#include <atomic>
#include <type_traits>

namespace atrium::race {

// The routine behind ours, in the version that programs get today where there are several: of those, dlsym takes the oldest
// before glibc 2.36 (its bug 14932). nullptr: no library has it.
inline void* next_routine(const char* name, const char* version = nullptr) {
  void* const found = version ? dlvsym(RTLD_NEXT, name, version) : nullptr;
  return found ? found : dlsym(RTLD_NEXT, name);
}

// A routine of the program's C++ library, which throws what the program can catch; our own copy of it for a C++ library that was
// opened apart from the program. `known`: what it found the last time.
template <class Function>
Function* next_of_cxx(std::atomic<Function*>& known, const char* name, Function* ours) {
  if (Function* const found = known.load(std::memory_order_relaxed)) return found;
  void* const found = next_routine(name);
  Function* const next = found ? reinterpret_cast<Function*>(found) : ours;
  known.store(next, std::memory_order_relaxed);
  return next;
}

}  // namespace atrium::race

#define NEXT_OF(version, type, name) \
  static const auto next =           \
      reinterpret_cast<std::add_pointer_t<type>>(atrium::race::next_routine(#name, version))
#define NEXT(type, name) NEXT_OF(nullptr, type, name)

// What stands in front of a routine of the program's C++ library. The check has a C++ library of its own, which defines the same
// routine: so ours has another name here, and the routine's name with a version for programs alone (cxx.map).
#if __has_attribute(symver)
#define RACE_AS(ours, versioned) __attribute__((symver(versioned)))
#else
#define RACE_AS(ours, versioned)            \
  __asm__(".symver " #ours ", " versioned); \
  __attribute__((used))
#endif
