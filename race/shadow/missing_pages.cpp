// A handler of SIGBUS in front of the one that was there before, which gets what is not ours.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/shadow/missing_pages.hpp"

#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <string>

#include "atrium_message.h"
#include "interpose/say.hpp"

namespace atrium::race {
namespace {

// Beyond so many a missing page is told as any crash.
struct WatchedPages {
  std::atomic<uintptr_t> begin;  // 0: the place is free
  std::atomic<size_t> bytes;
};
WatchedPages watched[512];

char message[256];
struct sigaction before;

bool is_watched(uintptr_t address) {
  return std::any_of(std::begin(watched), std::end(watched), [&](const WatchedPages& one) {
    const uintptr_t begin = one.begin.load(std::memory_order_relaxed);
    return begin != 0 && address - begin < one.bytes.load(std::memory_order_relaxed);
  });
}

void pass_on(int signal, siginfo_t* info, void* context) {
  if (before.sa_flags & SA_SIGINFO) return before.sa_sigaction(signal, info, context);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) return before.sa_handler(signal);
  std::signal(signal, SIG_DFL);
  std::raise(signal);  // arrives when the handler returns
}

void on_bus_error(int signal, siginfo_t* info, void* context) {
  if (info->si_code <= 0 || !is_watched(reinterpret_cast<uintptr_t>(info->si_addr)))
    return pass_on(signal, info, context);
  atrium_write_whole(STDERR_FILENO, message, std::char_traits<char>::length(message));
  _exit(1);
}

void take_bus_errors() {
  std::snprintf(message, sizeof message,
                "atrium: %s: no memory is left for the shadow: the file system that holds it is full; try a "
                "larger /dev/shm, memory files (memfd_create) allowed, or a smaller problem\n",
                interpose::tool_name);
  struct sigaction action {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, &before);
}

bool has_limit(int file) {
  struct statvfs file_system {};
  return fstatvfs(file, &file_system) == 0 && file_system.f_blocks != 0;
}

}  // namespace

void watch_pages(int file, const void* begin, size_t bytes) {
  if (!has_limit(file)) return;
  static const bool taken = (take_bus_errors(), true);
  static_cast<void>(taken);
  for (WatchedPages& one : watched) {
    uintptr_t nothing = 0;
    if (!one.begin.compare_exchange_strong(nothing, reinterpret_cast<uintptr_t>(begin))) continue;
    one.bytes.store(bytes, std::memory_order_relaxed);
    return;
  }
}

void forget_pages(const void* begin) {
  for (WatchedPages& one : watched) {
    if (one.begin.load(std::memory_order_relaxed) != reinterpret_cast<uintptr_t>(begin)) continue;
    one.bytes.store(0, std::memory_order_relaxed);
    one.begin.store(0, std::memory_order_relaxed);
  }
}

}  // namespace atrium::race
