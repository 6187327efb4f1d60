// Messages of four parts, as every part of Atrium words them.
// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "atrium_message.hpp"
#include "atrium_pipe.hpp"

namespace atrium {
namespace {

TEST(Message, has_four_parts_and_leaves_out_the_empty_ones) {
  EXPECT_EQ(format_message("shnode", {"no memory", "mmap failed", "shnode_init", "fewer PEs"}),
            "shnode: no memory\n  because: mmap failed\n  while:   shnode_init\n  try:     fewer PEs\n");
  EXPECT_EQ(format_message("atrium", {"no memory", "", nullptr, "fewer PEs"}),
            "atrium: no memory\n  try:     fewer PEs\n");
}

TEST(Message, shows_line_ends_of_names_so_that_they_pass_for_no_line_of_ours) {
  EXPECT_EQ(format_message("atrium", {"no file a\natrium: b\x1b[2J", nullptr, nullptr, nullptr}),
            "atrium: no file a\\natrium: b\\x1b[2J\n");
}

TEST(Message, is_cut_where_it_does_not_fit) {
  const atrium_message message = {"no memory", "mmap failed", nullptr, nullptr};
  char text[16];
  EXPECT_EQ(atrium_format_message("atrium", &message, text, sizeof text), 41u);
  EXPECT_STREQ(text, "atrium: no memo");
  EXPECT_EQ(atrium_format_message("atrium", &message, nullptr, 0), 41u);
}

TEST(Message, says_what_a_setting_has_to_be_and_shows_one) {
  const atrium_setting setting = {"ATRIUM_MPI_BUFFER", "size 4K..", "256M", ""};
  atrium_bad_value bad;
  atrium_describe_bad_value(&setting, "much", "is ignored", "MPI_Init", &bad);
  EXPECT_EQ(format_message("atrium", bad.message),
            "atrium: ATRIUM_MPI_BUFFER=much is ignored\n"
            "  because: it has to be a size (a number, then K, M, G or T), 4K or more\n"
            "  while:   MPI_Init\n"
            "  try:     ATRIUM_MPI_BUFFER=256M\n");
}

TEST(Message, longer_than_a_pipe_takes_at_once_is_written_to_its_end) {
  const std::string text(200'000, 'x');
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const pid_t child = fork();
  if (child == 0) _exit(atrium_write_whole(ends[1], text.data(), text.size()) ? 0 : 1);
  close(ends[1]);
  EXPECT_EQ(read_to_end(ends[0]), text);
  EXPECT_EQ(wait_for_end(child), 0);
  close(ends[0]);
}

}  // namespace
}  // namespace atrium
