// What a thread of the library knows of itself (network/background_thread.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "network/background_thread.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <vector>

#include "topology/cpus.hpp"

namespace atrium {
namespace {

struct Asked {
  BackgroundThread thread;
  bool knows_itself = false;
};
void ask(void* subject) {
  auto* const asked = static_cast<Asked*>(subject);
  asked->knows_itself = asked->thread.is_me();
}

// It may be there before the one that starts it goes on. Where it fails there, it must not take itself for another and end itself.
TEST(BackgroundThread, knows_itself_from_its_first_step) {
  for (int start = 0; start < 5000; ++start) {
    Asked asked;
    ASSERT_TRUE(asked.thread.start("asked", ask, &asked));
    EXPECT_FALSE(asked.thread.is_me());
    asked.thread.join();
    ASSERT_TRUE(asked.knows_itself) << "at start " << start;
  }
}

struct Placed {
  BackgroundThread thread;
  std::vector<int> cpus;
};
std::vector<int> cpus_of_a_thread() {
  Placed placed;
  const auto look = [](void* subject) { static_cast<Placed*>(subject)->cpus = allowed_cpus(); };
  EXPECT_TRUE(placed.thread.start("placed", look, &placed));
  placed.thread.join();
  return placed.cpus;
}

// A user may have given the job a part of the machine, in whatever way.
TEST(BackgroundThread, keeps_to_the_cpus_of_its_starter_and_else_to_those_that_it_is_given) {
  const std::vector<int> all = allowed_cpus(), one{all.back()};
  cpu_set_t before, mine;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&mine);
  CPU_SET(one[0], &mine);
  ASSERT_EQ(sched_setaffinity(0, sizeof mine, &mine), 0);
  EXPECT_EQ(cpus_of_a_thread(), one);
  set_cpus_of_background_threads(all);
  EXPECT_EQ(cpus_of_a_thread(), all);
  set_cpus_of_background_threads({});
  EXPECT_EQ(cpus_of_a_thread(), one);
  sched_setaffinity(0, sizeof before, &before);
}

}  // namespace
}  // namespace atrium
