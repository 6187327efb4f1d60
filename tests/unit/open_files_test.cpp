// Whether another process has used up its descriptors.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/open_files.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "atrium_pipe.hpp"

namespace atrium {
namespace {

constexpr rlim_t most = 64;

// Opens as many as it may, less one if `spares_one`, says so, and rests.
[[noreturn]] void open_files(int ready, bool spares_one) {
  const rlimit limit{most, most};
  setrlimit(RLIMIT_NOFILE, &limit);
  int last = -1;
  for (int file; (file = dup(ready)) >= 0;) last = file;
  if (spares_one) close(last);
  if (write(ready, "", 1) == 1) pause();
  _exit(1);
}

size_t reached_by_child(bool spares_one) {
  Pipe pipe;
  EXPECT_TRUE(pipe.open());
  const pid_t child = fork();
  if (child == 0) open_files(pipe.to_write(), spares_one);
  char ready;
  EXPECT_EQ(read(pipe.to_read(), &ready, 1), 1);
  const size_t limit = limit_reached_by(child);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return limit;
}

TEST(OpenFiles, a_process_that_has_used_them_up_has_reached_its_limit) {
  EXPECT_EQ(reached_by_child(false), most);
}

TEST(OpenFiles, a_process_that_may_open_another_has_not) { EXPECT_EQ(reached_by_child(true), 0u); }

TEST(OpenFiles, of_a_process_that_is_not_there_nothing_is_known) { EXPECT_EQ(limit_reached_by(-1), 0u); }

}  // namespace
}  // namespace atrium
