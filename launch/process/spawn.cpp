// Starts a process by vfork: the child uses this process's memory until it executes, so nothing is copied however large oshrun is.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/spawn.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>

#include "launch/io/signals.hpp"
#include "os/open_files.hpp"

namespace atrium {
namespace {

constexpr size_t word_bits = 8 * sizeof(unsigned long);

// False, with errno, where one is missing: the child would have ours.
bool take_streams(const int (&streams)[3]) {
  for (int target = 0; target < 3; ++target)
    if ((streams[target] == target ? fcntl(target, F_SETFD, 0) : dup2(streams[target], target)) < 0)
      return false;
  return true;
}

bool fix_addresses() {
  const int now = personality(0xffffffff);  // asks
  return now >= 0 && personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) >= 0;
}

std::vector<unsigned long> make_cpu_mask(const std::vector<int>& cpus) {
  std::vector<unsigned long> mask;
  for (int cpu : cpus) {
    const size_t word = static_cast<size_t>(cpu) / word_bits;
    if (mask.size() <= word) mask.resize(word + 1);
    mask[word] |= 1UL << (static_cast<size_t>(cpu) % word_bits);
  }
  return mask;
}

// As system calls take them.
struct Prepared {
  explicit Prepared(const Child& child) : cpu_mask(make_cpu_mask(child.cpus)) {
    for (const std::string& word : child.words) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
  }

  std::vector<char*> words;
  std::vector<unsigned long> cpu_mask;
};

// Runs in the child, on the parent's memory and stack: system calls only, and never returns.
[[noreturn]] void become(const Child& child, const Prepared& prepared, pid_t parent, volatile int* error) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // it died before the line above
  if (child.has_own_session) setsid();
  if (child.group && setpgid(0, 0) == 0) child.group->store(getpid(), std::memory_order_relaxed);
  if (!prepared.cpu_mask.empty())
    sched_setaffinity(0, prepared.cpu_mask.size() * sizeof(unsigned long),
                      reinterpret_cast<const cpu_set_t*>(prepared.cpu_mask.data()));
  if (!take_streams(child.streams)) {
    *error = errno;
    _exit(127);
  }
  for (int fd : child.kept_fds)
    if (fd >= 0) fcntl(fd, F_SETFD, 0);
  restore_open_files();
  restore_signals();
  if (child.has_fixed_addresses) fix_addresses();
  execve(child.path.c_str(), prepared.words.data(), child.environment);
  *error = errno;
  _exit(127);
}

}  // namespace

pid_t spawn(const Child& child, SpawnFailure& failure) {
  const Prepared prepared(child);
  volatile int error = 0;  // written by the child into this very stack frame
  const pid_t parent = getpid();
  const pid_t pid = vfork();
  if (pid == 0) become(child, prepared, parent, &error);
  failure = pid < 0 ? SpawnFailure::process : error != 0 ? SpawnFailure::program : SpawnFailure::none;
  if (failure == SpawnFailure::program) {
    errno = error;
    return -1;  // it is collected as an unknown child
  }
  return pid;
}

bool may_fix_addresses() {
  const int before = personality(0xffffffff);
  if (!fix_addresses()) return false;
  personality(static_cast<unsigned long>(before));
  return true;
}

}  // namespace atrium
