// What a thread of the library knows of itself (network/background_thread.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "network/background_thread.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace atrium
