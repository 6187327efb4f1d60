// What -fsanitize=thread makes compilers call for loads and stores.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/compiler/access.hpp"
#include "race/compiler/inlined.h"
#include "race/model/dialect.hpp"
#include "race/model/job.hpp"
#include "race/shadow/slot.hpp"

using namespace atrium::race;

namespace {

uint8_t volatile_store() { return dialect.volatiles_order ? is_write | is_flaglike : is_write; }

}  // namespace

#define HERE __builtin_return_address(0)
#define RACE_LONG_WAY(name, bytes, kind)                                \
  void name(const void* at, uint16_t region) {                          \
    see_in(region, reinterpret_cast<uintptr_t>(at), bytes, kind, HERE); \
  }
#define RACE_SIZE(bytes)                                                                                \
  RACE_LONG_WAY(atrium_race_load##bytes, bytes, is_read)                                                \
  RACE_LONG_WAY(atrium_race_store##bytes, bytes, is_write)                                              \
  void __tsan_read##bytes(void* at) { see(at, bytes, is_read, HERE); }                                  \
  void __tsan_write##bytes(void* at) { see(at, bytes, is_write, HERE); }                                \
  void __tsan_read_write##bytes(void* at) { see(at, bytes, is_write, HERE); }                           \
  void __tsan_volatile_read##bytes(void* at) { see(at, bytes, is_read | is_flaglike, HERE); }           \
  void __tsan_volatile_write##bytes(void* at) { see(at, bytes, volatile_store(), HERE); }               \
  void __tsan_unaligned_read##bytes(void* at) { see(at, bytes, is_read, HERE); }                        \
  void __tsan_unaligned_write##bytes(void* at) { see(at, bytes, is_write, HERE); }                      \
  void __tsan_unaligned_read_write##bytes(void* at) { see(at, bytes, is_write, HERE); }                 \
  void __tsan_unaligned_volatile_read##bytes(void* at) { see(at, bytes, is_read | is_flaglike, HERE); } \
  void __tsan_unaligned_volatile_write##bytes(void* at) { see(at, bytes, volatile_store(), HERE); }     \
  void __tsan_read##bytes##_pc(void* at, void* caller) { see(at, bytes, is_read, caller); }             \
  void __tsan_write##bytes##_pc(void* at, void* caller) { see(at, bytes, is_write, caller); }

#pragma GCC visibility push(default)
extern "C" {

static_assert(offsetof(Directory, number) == sizeof(uint16_t),
              "inlined.c finds `unwatched` before the first");
const struct atrium_race_view atrium_race_view { directory.number };

void __tsan_init() { job.instrumented = true; }
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}
void __tsan_vptr_update(void** at, void*) { see(at, sizeof *at, is_write, HERE); }
void __tsan_vptr_read(void** at) { see(at, sizeof *at, is_read, HERE); }
void __tsan_read_range(void* at, unsigned long bytes) {
  if (bytes != 0) see(at, bytes, is_read, HERE);
}
void __tsan_write_range(void* at, unsigned long bytes) {
  if (bytes != 0) see(at, bytes, is_write, HERE);
}

RACE_SIZE(1)
RACE_SIZE(2)
RACE_SIZE(4)
RACE_SIZE(8)
RACE_SIZE(16)

}  // extern "C"
#pragma GCC visibility pop
