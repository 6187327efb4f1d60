// A sleep that another thread puts off or ends. Where it lasts an hour, a call that is lost hangs the test.
// SPDX-License-Identifier: BSD-3-Clause
#include "network/watchdog.hpp"

#include <dirent.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>

#include "os/clock.hpp"

namespace atrium {
namespace {

constexpr uint64_t far_ahead = uint64_t{1} << 62;  // a time at which any timer has expired
constexpr uint64_t second = 1'000'000'000;
constexpr Watchdog::Lengths an_hour{3600 * second, 3600 * second};

class SleepingThread {
 public:
  explicit SleepingThread(Watchdog& watchdog)
      : thread_([&] {
          const uint64_t begin = now_ns();
          was_called_ = watchdog.sleep();
          slept_ns_ = now_ns() - begin;
          is_over_ = true;
        }) {}
  bool is_over() const { return is_over_; }
  void join() { thread_.join(); }
  bool was_called() const { return was_called_; }
  uint64_t slept_ns() const { return slept_ns_; }

 private:
  std::atomic<bool> is_over_{false};
  bool was_called_ = false;
  uint64_t slept_ns_ = 0;
  std::thread thread_;
};

int timer_of_this_process() {
  int found = -1;
  DIR* const folder = ::opendir("/proc/self/fd");
  while (const dirent* entry = ::readdir(folder)) {
    char target[64] = {};
    const std::string path = std::string("/proc/self/fd/") + entry->d_name;
    if (::readlink(path.c_str(), target, sizeof target - 1) > 0 &&
        std::string(target) == "anon_inode:[timerfd]")
      found = std::atoi(entry->d_name);
  }
  ::closedir(folder);
  return found;
}

TEST(Watchdog, expires_where_nobody_puts_it_off) {
  Watchdog watchdog;
  watchdog.begin();
  for (int i = 0; i < 20; ++i) EXPECT_FALSE(watchdog.sleep());
}

// One try can fail: where this thread gets no CPU in time.
TEST(Watchdog, is_put_off_as_long_as_somebody_drives) {
  constexpr uint64_t long_time_ns = 30'000'000;
  uint64_t longest = 0;
  for (int attempt = 0; attempt < 1000 && longest < long_time_ns; ++attempt) {
    Watchdog watchdog;
    watchdog.begin();
    SleepingThread thread(watchdog);
    const uint64_t begin = now_ns();
    for (uint64_t later = far_ahead; !thread.is_over() && now_ns() - begin < long_time_ns; later += second)
      watchdog.put_off(later);
    thread.join();
    longest = std::max(longest, thread.slept_ns());
    EXPECT_FALSE(thread.was_called());
  }
  EXPECT_GE(longest, long_time_ns);
}

TEST(Watchdog, is_not_put_off_long_before_it_expires) {
  Watchdog watchdog({20'000'000, 20'000'000});
  watchdog.begin();
  SleepingThread thread(watchdog);
  while (!thread.is_over()) watchdog.put_off(0);  // else for ever
  thread.join();
}

TEST(Watchdog, a_call_ends_the_sleep_or_the_next_one) {
  Watchdog watchdog(an_hour);
  for (int round = 0; round < 2000; ++round) {
    watchdog.begin();
    SleepingThread thread(watchdog);
    if (round % 2 == 0) watchdog.put_off(far_ahead);
    watchdog.call();
    thread.join();
    EXPECT_TRUE(thread.was_called());
  }
}

TEST(Watchdog, does_without_a_timer_that_the_program_has_closed) {
  Watchdog watchdog(an_hour);
  const int timer = timer_of_this_process();
  ASSERT_GE(timer, 0);
  ::close(timer);
  watchdog.begin();
  SleepingThread thread(watchdog);
  for (int i = 0; i < 10'000; ++i) watchdog.put_off(far_ahead);
  watchdog.call();
  thread.join();
  EXPECT_TRUE(thread.was_called());
}

}  // namespace
}  // namespace atrium
