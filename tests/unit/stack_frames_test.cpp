// Frames of a stack (os/stack_frames): those that the C library finds.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/stack_frames.hpp"

#include <execinfo.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace atrium {
namespace {

using Frames = std::vector<void*>;

// Each by its own call, whose return address is the first one.
struct Found {
  Frames ours = Frames(64), theirs = Frames(64);
  [[gnu::noinline]] void look() {
    ours.resize(walk_frames(ours));
    theirs.resize(static_cast<size_t>(backtrace(theirs.data(), 64)));
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    theirs.erase(theirs.begin());  // the sanitizer's own backtrace()
#endif
  }
  [[gnu::noinline]] void look_from(int calls) {
    calls == 0 ? look() : look_from(calls - 1);
    asm volatile("");  // no call is the last thing that this does
  }
};

void expect_the_same_callers(const Found& found) {
  ASSERT_GT(found.ours.size(), 10u);
  ASSERT_EQ(found.ours.size(), found.theirs.size());
  EXPECT_TRUE(std::equal(found.ours.begin() + 1, found.ours.end(), found.theirs.begin() + 1));
}

TEST(StackFrames, are_those_that_the_c_library_finds) {
  Found found;
  found.look_from(10);
  expect_the_same_callers(found);
}

TEST(StackFrames, of_a_thread_end_where_it_began) {
  Found found;
  std::thread([&] { found.look_from(10); }).join();
  expect_the_same_callers(found);
}

TEST(StackFrames, are_no_more_than_there_is_room_for) {
  void* frames[3] = {};
  EXPECT_EQ(walk_frames(std::span(frames).first(2)), 2u);
  EXPECT_EQ(frames[2], nullptr);
}

}  // namespace
}  // namespace atrium
