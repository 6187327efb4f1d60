// Starts one process without copying the memory of oshrun.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <atomic>
#include <string>
#include <vector>

namespace atrium {

struct Child {
  std::string path;
  std::vector<std::string> words;
  char** environment = nullptr;
  int streams[3] = {-1, -1, -1};        // becomes 0, 1, 2
  int kept_fds[3] = {-1, -1, -1};       // close-on-exec here, open in the child
  std::atomic<pid_t>* group = nullptr;  // if any, the child makes a process group and writes its number here
  bool has_own_session = false;         // a process group without a terminal: nothing can be asked there
  bool has_fixed_addresses = false;     // without address space randomization
  std::vector<int> cpus;                // empty: as its parent
};

// The process could not be made, or the program not be executed.
enum class SpawnFailure { none, process, program };

// The pid, or -1 with errno and what failed. The child gets signals and the limit on open files as oshrun found them.
pid_t spawn(const Child& child, SpawnFailure& failure);

// Whether children can have fixed addresses: a container may forbid it.
bool may_fix_addresses();

}  // namespace atrium
