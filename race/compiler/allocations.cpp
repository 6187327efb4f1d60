// Memory that is handed out: a new block begins without accesses, because those that are recorded there were made to an earlier one.
// SPDX-License-Identifier: BSD-3-Clause
//
// The linker's names (--wrap) are for calls of the user's objects. Operators new are called by the C++ library, too, as for the
// characters of a string; all its others call these two.
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <new>

#include "race/model/access.hpp"
#include "race/threads/next.hpp"

using namespace atrium::race;

namespace {

void* fresh(void* block, size_t bytes) {
  if (block && threads_exist) forget_private(reinterpret_cast<uintptr_t>(block), bytes);
  return block;
}
char* fresh_text(char* text) { return text ? static_cast<char*>(fresh(text, strlen(text) + 1)) : nullptr; }
void* fresh_pages(void* pages, size_t bytes) { return pages == MAP_FAILED ? pages : fresh(pages, bytes); }

using New = void*(size_t);
using AlignedNew = void*(size_t, std::align_val_t);

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

void* __wrap_malloc(size_t bytes) { return fresh(malloc(bytes), bytes); }
void* __wrap_calloc(size_t count, size_t bytes) { return fresh(calloc(count, bytes), count * bytes); }
void* __wrap_realloc(void* block, size_t bytes) { return fresh(realloc(block, bytes), bytes); }
void* __wrap_reallocarray(void* block, size_t count, size_t bytes) {
  return fresh(reallocarray(block, count, bytes), count * bytes);
}
void* __wrap_aligned_alloc(size_t alignment, size_t bytes) {
  return fresh(aligned_alloc(alignment, bytes), bytes);
}
void* __wrap_memalign(size_t alignment, size_t bytes) { return fresh(memalign(alignment, bytes), bytes); }
int __wrap_posix_memalign(void** block, size_t alignment, size_t bytes) {
  const int error = posix_memalign(block, alignment, bytes);
  if (error == 0) fresh(*block, bytes);
  return error;
}
char* __wrap_strdup(const char* text) { return fresh_text(strdup(text)); }
char* __wrap_strndup(const char* text, size_t most) { return fresh_text(strndup(text, most)); }

void* __wrap_mmap(void* address, size_t bytes, int protection, int flags, int file, off_t offset) {
  return fresh_pages(mmap(address, bytes, protection, flags, file, offset), bytes);
}
void* __wrap_mmap64(void* address, size_t bytes, int protection, int flags, int file, off64_t offset) {
  return fresh_pages(mmap64(address, bytes, protection, flags, file, offset), bytes);
}

RACE_AS(atrium_race_new, "_Znwm@GLIBCXX_3.4")
void* atrium_race_new(size_t bytes) {
  static std::atomic<New*> known{nullptr};
  return fresh(next_of_cxx<New>(known, "_Znwm", operator new)(bytes), bytes);
}
RACE_AS(atrium_race_new_aligned, "_ZnwmSt11align_val_t@CXXABI_1.3.11")
void* atrium_race_new_aligned(size_t bytes, std::align_val_t alignment) {
  static std::atomic<AlignedNew*> known{nullptr};
  return fresh(next_of_cxx<AlignedNew>(known, "_ZnwmSt11align_val_t", operator new)(bytes, alignment), bytes);
}

}  // extern "C"
#pragma GCC visibility pop
