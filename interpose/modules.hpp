// A tool's table of the files that code lies in, by number, in memory that other processes may read or add to.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>

#include "interpose/spin_lock.hpp"

namespace atrium::interpose {

// Zero-filled memory is an empty table. A process that has read `count` may read the names up to it, without the lock.
struct ModuleNames {
  static constexpr unsigned most = 63;
  struct Name {
    char path[1024];
  };

  std::atomic<uint32_t> count;
  SpinLock lock;        // for additions
  Name name[most + 1];  // from 1
};

// Its number, which it gets if it has none; 0: the table is full.
unsigned number_in(ModuleNames& modules, const char* path);

}  // namespace atrium::interpose
