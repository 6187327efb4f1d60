// Ends of commands of oshrun's own beside those of other children (launch/process/own_commands.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/own_commands.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "launch/report/exit_rules.hpp"

namespace atrium {
namespace {

pid_t start_child(int status) {
  const pid_t child = fork();
  if (child == 0) _exit(status);
  return child;
}

// Whoever collects all children leaves the end of a command to the one that waits for it.
TEST(Commands, keep_their_ends) {
  const pid_t command = start_child(7), other = start_child(8);
  add_own_command(command);
  EXPECT_TRUE(is_own_command(command));
  EXPECT_FALSE(is_own_command(other));
  std::optional<EndedChild> ended;
  while (!ended) ended = collect_child();
  EXPECT_EQ(ended->process, other);
  EXPECT_EQ(ending_of(ended->status).code, 8);
  while (has_number(command)) EXPECT_FALSE(collect_child());
  EXPECT_EQ(ending_of(*take_status(command)).code, 7);
  EXPECT_FALSE(take_status(command)) << "once";
  EXPECT_FALSE(is_own_command(command));
}

TEST(Commands, are_waited_for_by_whoever_has_started_them) {
  const pid_t command = start_child(7);
  add_own_command(command);
  std::optional<int> status;
  while (!status) status = take_status(command);
  EXPECT_EQ(ending_of(*status).code, 7);
  const pid_t another = start_child(0);
  add_own_command(another);
  wait_for(another);
  EXPECT_FALSE(is_own_command(another));
  EXPECT_FALSE(collect_child());
}

}  // namespace
}  // namespace atrium
