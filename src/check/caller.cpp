// Walks the stack to the outermost exported routine and to its caller's address. Slow; only on the way to
// a fatal message, and when a wait has lasted a second (job/long_wait.cpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "check/caller.hpp"

#include <dlfcn.h>
#include <execinfo.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace atrium {
namespace {

constexpr int deepest = 64;

bool begins_with(const char* symbol, const char* prefix) {
  return symbol && std::strncmp(symbol, prefix, std::strlen(prefix)) == 0;
}
bool is_routine(const char* symbol) {
  return begins_with(symbol, "shmem_") || begins_with(symbol, "pshmem_");
}
// What inlined code calls where a PE is AWAY (shmem/fast.h).
bool is_way_in(const char* symbol) { return begins_with(symbol, "atrium_away_"); }

// Met first where library and program are one file (libatrium.a): then nobody can tell our frames from the program's.
bool is_c_library(const char* file) { return std::strstr(file, "/libc.so") != nullptr; }

std::string place(const Dl_info& info, const void* address) {
  char offset[32];
  std::snprintf(offset, sizeof offset, "+0x%" PRIxPTR,
                reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(info.dli_fbase));
  return std::string(info.dli_fname) + offset;
}

std::string sentence(const std::string& routine, const std::string& from) {
  if (from.empty()) return routine;
  return routine.empty() ? "a call from " + from : routine + ", called from " + from;
}

}  // namespace

std::string describe_caller() {
  void* frames[deepest];
  const int count = backtrace(frames, deepest);
  Dl_info here{}, info{};
  if (dladdr(reinterpret_cast<void*>(&describe_caller), &here) == 0) return {};
  std::string routine;
  for (int i = 1; i < count; ++i) {
    if (dladdr(frames[i], &info) == 0) continue;
    if (is_way_in(info.dli_sname)) continue;
    if (is_routine(info.dli_sname)) {
      routine = info.dli_sname + (info.dli_sname[0] == 'p');
      continue;
    }
    const bool outside = info.dli_fbase != here.dli_fbase;
    if (outside && is_c_library(info.dli_fname)) break;
    if (outside || !routine.empty()) return sentence(routine, place(info, frames[i]));
  }
  return routine;
}

}  // namespace atrium
