// Which descriptors the launcher's own children keep (launch/process/descriptors.hpp, launch/hosts/place_finder.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/descriptors.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <utility>
#include <vector>

#include "launch/hosts/place_finder.hpp"

namespace atrium {
namespace {

TEST(Descriptors, move_out_of_the_way_of_scripts) {
  const int low = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int high = move_up(low);
  EXPECT_GE(high, 20);
  EXPECT_NE(fcntl(high, F_GETFD) & FD_CLOEXEC, 0);
  EXPECT_EQ(fcntl(low, F_GETFD), -1);
  close(high);
}

TEST(Descriptors, that_are_none_leave_the_reason_as_it_is) {
  errno = EMFILE;
  EXPECT_EQ(move_up(-1), -1);
  EXPECT_EQ(errno, EMFILE);
}

// PE 0's standard input, for example, could not end before the places of a deadlock are found.
TEST(PlaceFinder, does_not_keep_the_pipes_of_the_launcher_open) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  Loop loop;
  std::optional<std::vector<PlacedWait>> answer;
  PlaceFinder finder(loop, [&](std::vector<PlacedWait> found) { answer = std::move(found); });
  finder.start([&] {
    const bool kept = fcntl(ends[0], F_GETFD) >= 0 || fcntl(ends[1], F_GETFD) >= 0;
    return std::vector<PlacedWait>(kept ? 0U : 1U);
  });
  while (!answer) loop.turn();
  EXPECT_EQ(answer->size(), 1U);
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace atrium
