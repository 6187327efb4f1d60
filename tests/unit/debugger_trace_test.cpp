// Which lines of gdb's output are passed on as a back trace (os/debugger_trace.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "os/debugger_trace.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace atrium {
namespace {

// In pieces of that size; empty where there was no frame.
std::string passes(const std::string& all, size_t piece) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  DebuggerTrace trace;
  trace.pass_to(ends[1]);
  for (size_t at = 0; at < all.size(); at += piece)
    trace.take(all.data() + at, std::min(piece, all.size() - at));
  const bool has_frames = trace.end();
  ::close(ends[1]);
  std::string text(60000, '\0');
  const ssize_t bytes = ::read(ends[0], text.data(), text.size());
  ::close(ends[0]);
  text.resize(bytes < 0 ? 0 : static_cast<size_t>(bytes));
  return has_frames ? text : "";
}

TEST(DebuggerTrace, frames_of_the_handler_and_what_gdb_says_of_itself_do_not_pass) {
  const std::string all =
      "[New LWP 7]\n0x1 in wait4 () from libc\n30\twait4.c: No such file\n\n"
      "Thread 2 (LWP 7 \"a\"):\n#0  pause ()\n#1  work (a=1,\n    b=2) at a.c:3\n\n"
      "Thread 1 (LWP 6 \"a\"):\n#0  wait4 ()\n#1  on_fault ()\n#2  <signal handler called>\n#3  deep () at "
      "a.c:5\n#4  main ()\n"
      "[Inferior 1 (process 6) detached]";
  const std::string wanted =
      "Thread 2 (LWP 7 \"a\"):\n#0  pause ()\n#1  work (a=1,\n    b=2) at a.c:3\n"
      "Thread 1 (LWP 6 \"a\"):\n#3  deep () at a.c:5\n#4  main ()\n";
  for (const size_t piece : {size_t{1}, size_t{7}, size_t{64}, all.size()})
    EXPECT_EQ(passes(all, piece), wanted);
}

TEST(DebuggerTrace, a_handler_of_the_program_below_ours_stays) {
  EXPECT_EQ(passes("Thread 1 (a):\n#0  us ()\n#1  <signal handler called>\n#2  theirs ()\n#3  <signal "
                   "handler called>\n#4  main ()\n",
                   5),
            "Thread 1 (a):\n#2  theirs ()\n#3  <signal handler called>\n#4  main ()\n");
}

TEST(DebuggerTrace, where_gdb_may_not_look_there_are_no_frames) {
  EXPECT_EQ(passes("Could not attach to process.\nptrace: Operation not permitted.\nNo stack.\n", 9), "");
}

TEST(DebuggerTrace, deep_stacks_and_long_lines_pass) {
  std::string all = "Thread 1 (a):\n";
  for (int i = 0; i < 400; ++i)
    all += "#" + std::to_string(i) + "  recursive (n=" + std::to_string(i) + ") at a.c:1\n";
  EXPECT_EQ(passes(all, 100), all);
  const std::string longest = "#0  f (a=\"" + std::string(5000, 'x') + "\")\n";
  EXPECT_EQ(passes("Thread 1 (a):\n" + longest, 100), "Thread 1 (a):\n" + longest.substr(0, 511) + "\n");
}

}  // namespace
}  // namespace atrium
