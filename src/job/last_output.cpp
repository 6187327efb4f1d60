// Writes a PE's buffered output in a handler of SIGTERM, and then ends the process as the signal would.
// SPDX-License-Identifier: BSD-3-Clause
//
// fflush() is not async-signal-safe. It is called nevertheless, since the process ends right after it: a stream to which the
// interrupted thread was writing may end in the middle of a line, and where another thread holds a stream for ever, the launcher
// sends SIGKILL 400 ms later.
#include "job/last_output.hpp"

#include <signal.h>
#include <stdio_ext.h>

#include <atomic>
#include <cstdio>

#include "core/forked_child.hpp"

namespace atrium {
namespace {

std::atomic<const Lobby*> lobby_of_node = nullptr;

}  // namespace

void end_by_signal(int signal_number) {
  const Lobby* lobby = lobby_of_node.load(std::memory_order_relaxed);
  // SYNC exit
  const bool asked = lobby->exit_requested.load(std::memory_order_acquire) != 0;
  if (asked && !is_forked_child()) std::fflush(nullptr);
  signal(signal_number, SIG_DFL);
  raise(signal_number);  // when the handler returns
}

void flush_at_global_exit(const Lobby& lobby) {
  struct sigaction action {};
  if (sigaction(SIGTERM, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) return;
  lobby_of_node.store(&lobby, std::memory_order_relaxed);
  action.sa_handler = end_by_signal;
  sigaction(SIGTERM, &action, nullptr);
}

void exit_past_readers() {
  if (ftrylockfile(stdin) == 0) return funlockfile(stdin);
  __fsetlocking(stdin, FSETLOCKING_BYCALLER);
}

}  // namespace atrium
