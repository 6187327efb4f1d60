// What of a PE's output is kept until its line is complete (launch/io/stream.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/io/stream.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <deque>
#include <string>

namespace atrium {
namespace {

constexpr size_t mebibyte = size_t{1} << 20;

struct ManyStreams {
  ManyStreams() {
    for (int pe = 0; pe < 40; ++pe) streams.emplace_back(loop, -1, sink, "");
  }

  Loop loop;
  Sink sink{loop, open("/dev/null", O_WRONLY | O_CLOEXEC), [] {}};
  std::deque<Stream> streams;
};

// Each of them less than the longest line.
TEST(Stream, keeps_no_more_of_all_unfinished_lines_than_a_launcher_can_hold) {
  ManyStreams many;
  const std::string piece(10 * mebibyte, 'x');
  for (Stream& stream : many.streams) stream.take(piece);
  EXPECT_LE(many.sink.unfinished(), 256 * mebibyte);
  EXPECT_GE(many.sink.unfinished(), 240 * mebibyte);
  for (Stream& stream : many.streams) stream.take("end\nnext");
  EXPECT_EQ(many.sink.unfinished(), many.streams.size() * 4);
  for (Stream& stream : many.streams) stream.flush_tail(true);
  EXPECT_EQ(many.sink.unfinished(), 0U);
}

}  // namespace
}  // namespace atrium
