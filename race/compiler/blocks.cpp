// Copies and fills: the compilers' own names for them, and the linker's for those of the user's objects (--wrap).
// SPDX-License-Identifier: BSD-3-Clause
#include <stdlib.h>
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

// A new block begins without accesses: those that are recorded there were made to an earlier block.
void* fresh(void* block, size_t bytes) {
  if (block && threads_exist) forget_private(reinterpret_cast<uintptr_t>(block), bytes);
  return block;
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

void* __wrap_malloc(size_t bytes) { return fresh(malloc(bytes), bytes); }
void* __wrap_calloc(size_t count, size_t bytes) { return fresh(calloc(count, bytes), count * bytes); }
void* __wrap_realloc(void* block, size_t bytes) { return fresh(realloc(block, bytes), bytes); }
void* __wrap_aligned_alloc(size_t alignment, size_t bytes) {
  return fresh(aligned_alloc(alignment, bytes), bytes);
}
int __wrap_posix_memalign(void** block, size_t alignment, size_t bytes) {
  const int error = posix_memalign(block, alignment, bytes);
  if (error == 0) fresh(*block, bytes);
  return error;
}

}  // extern "C"
#pragma GCC visibility pop
