// A function on a stack of its own (base/atrium_larger_stack.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <cstddef>

#include "atrium_larger_stack.hpp"

namespace atrium {
namespace {

constexpr size_t small_bytes = size_t{64} << 10, large_bytes = size_t{1} << 20;

// More than a small stack has.
[[gnu::noinline]] bool needs_much(const volatile char*& where) {
  volatile char deep[large_bytes / 2];
  std::fill(deep, deep + sizeof deep, char{1});
  where = deep;
  return deep[0] + deep[sizeof deep - 1] == 2;
}

TEST(LargerStack, what_needs_much_runs_beside_a_small_stack) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, small_bytes);
  pthread_t thread;
  bool done = false;
  const auto run = [](void* done_) -> void* {
    const volatile char* where = nullptr;
    const char here = 0;
    bool& result = *static_cast<bool*>(done_);
    for (int time = 0; time < 3; ++time) {
      result = false;
      on_larger_stack(large_bytes, [&] { result = needs_much(where); });
    }
    result = result &&
             std::max<const volatile char*>(where, &here) - std::min<const volatile char*>(where, &here) >
                 static_cast<ptrdiff_t>(small_bytes);
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &done), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  EXPECT_TRUE(done);
}

volatile sig_atomic_t arrived = 0;

TEST(LargerStack, signals_that_are_blocked_there_arrive_afterwards) {
  const StackRoom room = get_stack_room(small_bytes);
  ASSERT_NE(room.begin, nullptr);
  sigset_t all;
  sigfillset(&all);
  std::signal(SIGUSR1, [](int) { arrived = 1; });
  int arrived_there = -1;
  const auto raise_there = [](void* result) {
    std::raise(SIGUSR1);
    *static_cast<int*>(result) = arrived;
  };
  run_in(room, raise_there, &arrived_there, &all);
  EXPECT_EQ(arrived_there, 0);
  EXPECT_EQ(arrived, 1);
  std::signal(SIGUSR1, SIG_DFL);
  give_back(room);
}

}  // namespace
}  // namespace atrium
