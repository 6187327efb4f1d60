// Which threads wait for another thread of their process, as /proc tells it.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/threads.hpp"

#include <gtest/gtest.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdlib>
#include <string>
#include <thread>

#include "atrium_system.hpp"

namespace atrium {
namespace {

// A thread that waits in memory of that kind as glibc's join does, which the kernel wakes: with a value that glibc chooses, the
// number of the other thread in 2.36, a state in 2.43.
class JoiningThread {
 public:
  explicit JoiningThread(int kind)
      : state_(new (mmap(nullptr, sizeof *state_, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS, -1, 0))
                   std::atomic<uint32_t>(joinable)),
        thread_([this] { wait(); }) {
    while (id_ == 0 || !is_in_futex()) std::this_thread::yield();
  }
  ~JoiningThread() {
    *state_ = 0;
    syscall(SYS_futex, state_, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
    thread_.join();
    munmap(state_, sizeof *state_);
  }
  bool sleeps_until_woken() const {
    for (const ThreadSample& sample : sample_threads())
      if (sample.id == id_) return sample.sleeps_until_woken;
    return false;
  }

 private:
  static constexpr uint32_t joinable = 2;

  void wait() {
    id_ = this_thread();
    while (*state_ == joinable)
      syscall(SYS_futex, state_, FUTEX_WAIT_BITSET, joinable, nullptr, nullptr, FUTEX_BITSET_MATCH_ANY);
  }
  bool is_in_futex() const {
    const std::string call = read_small_file("/proc/self/task/" + std::to_string(id_) + "/syscall");
    return std::strtol(call.c_str(), nullptr, 10) == SYS_futex;
  }

  std::atomic<uint32_t>* state_;
  std::atomic<pid_t> id_ = 0;
  std::thread thread_;
};

TEST(Threads, one_that_joins_another_sleeps_until_it_is_woken) {
  EXPECT_TRUE(JoiningThread(MAP_PRIVATE).sleeps_until_woken());
}

TEST(Threads, one_that_another_process_may_wake_does_not) {
  EXPECT_FALSE(JoiningThread(MAP_SHARED).sleeps_until_woken());
}

}  // namespace
}  // namespace atrium
