// How processes are started (launch/process/spawn.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/spawn.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace atrium {
namespace {

// It would read and write what is oshrun's own.
TEST(Spawn, starts_nothing_whose_streams_are_missing) {
  char* environment[] = {nullptr};
  Child child;
  child.path = "/bin/true", child.words = {"true"}, child.environment = environment;
  SpawnFailure why = SpawnFailure::none;
  EXPECT_EQ(spawn(child, why), -1);
  EXPECT_EQ(errno, EBADF);
  EXPECT_EQ(why, SpawnFailure::program);
}

}  // namespace
}  // namespace atrium
