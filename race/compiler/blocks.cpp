// Copies and fills: the compilers' own names for them, and the linker's for those of the user's objects (--wrap).
// SPDX-License-Identifier: BSD-3-Clause
#include <string.h>

#include "interpose/caller.hpp"
#include "race/compiler/access.hpp"
#include "race/model/access.hpp"

using namespace atrium::race;

namespace {

// The linker's names are those of the Fortran interfaces' objects, too: what these copy is their caller's access.
void see_block(const void* at, size_t bytes, uint8_t kind, void* caller) {
  if (bytes == 0 || region_number(reinterpret_cast<uintptr_t>(at)) == directory.unwatched) return;
  const uintptr_t outside = atrium::interpose::caller_outside_library(reinterpret_cast<uintptr_t>(caller));
  see(at, bytes, kind, reinterpret_cast<void*>(outside));
}

void see_copy(void* dest, const void* source, size_t bytes, void* caller) {
  see_block(source, bytes, is_read, caller);
  see_block(dest, bytes, is_write, caller);
}

}  // namespace

#define HERE __builtin_return_address(0)
#pragma GCC visibility push(default)
extern "C" {

void* __tsan_memcpy(void* dest, const void* source, size_t bytes) {
  see_copy(dest, source, bytes, HERE);
  return memcpy(dest, source, bytes);
}
void* __tsan_memmove(void* dest, const void* source, size_t bytes) {
  see_copy(dest, source, bytes, HERE);
  return memmove(dest, source, bytes);
}
void* __tsan_memset(void* dest, int value, size_t bytes) {
  see_block(dest, bytes, is_write, HERE);
  return memset(dest, value, bytes);
}

void* __wrap_memcpy(void* dest, const void* source, size_t bytes) {
  see_copy(dest, source, bytes, HERE);
  return memcpy(dest, source, bytes);
}
void* __wrap_memmove(void* dest, const void* source, size_t bytes) {
  see_copy(dest, source, bytes, HERE);
  return memmove(dest, source, bytes);
}
void* __wrap_memset(void* dest, int value, size_t bytes) {
  see_block(dest, bytes, is_write, HERE);
  return memset(dest, value, bytes);
}

}  // extern "C"
#pragma GCC visibility pop
