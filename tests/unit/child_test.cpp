// A child that may crash, and what is left of it.
// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/child.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

namespace atrium {
namespace {

TEST(Child, tells_all_that_it_has_written) {
  const std::string all(100'000, 'x');
  EXPECT_EQ(output_of_child([&](int fd) {
              for (const char one : all) EXPECT_EQ(write(fd, &one, 1), 1);
            }),
            all);
}

TEST(Child, that_crashes_has_told_what_came_before) {
  EXPECT_EQ(output_of_child([](int fd) {
              EXPECT_EQ(write(fd, "before", 6), 6);
              raise(SIGSEGV);
              EXPECT_EQ(write(fd, "after", 5), 5);
            }),
            "before");
}

TEST(Child, answers_yes_or_no_and_no_when_it_crashes) {
  EXPECT_TRUE(done_by_child([] { return true; }));
  EXPECT_FALSE(done_by_child([] { return false; }));
  EXPECT_FALSE(done_by_child([] { return raise(SIGABRT) == 0; }));
}

// A handler of SIGCHLD, too, which is called for the program's own children.
TEST(Child, is_no_business_of_the_program) {
  for (const sighandler_t action : {SIG_IGN, +[](int) {
                                      while (waitpid(-1, nullptr, WNOHANG) > 0) continue;
                                    }}) {
    const sighandler_t before = signal(SIGCHLD, action);
    EXPECT_TRUE(done_by_child([] { return true; }));
    EXPECT_FALSE(done_by_child([] { return false; }));
    signal(SIGCHLD, before);
  }
}

}  // namespace
}  // namespace atrium
